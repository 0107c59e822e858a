import { type Browser, chromium } from 'playwright'

export const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
export const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  )

/** Debian's Chromium, without what it would like to fetch for itself. */
export const launch = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: executable, args: [...flags, ...more] })
