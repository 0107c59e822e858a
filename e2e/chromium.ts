import { type Browser, chromium } from 'playwright'

export const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
export const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --process-per-site --js-flags=--no-turbofan,--no-maglev'.split(
    ' ',
  )

/**
 * Debian's headless shell of Chromium: the full browser draws its own frame around each page in separate processes.
 * Background downloads are disabled.
 */
export const launch = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: executable, args: [...flags, ...more] })

let shared: Promise<Browser> | undefined

/** One browser for all test files of a worker. It ends with the worker: Chromium exits when its pipe is closed. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= launch())
