import { type Browser, chromium } from 'playwright'

export const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
export const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --process-per-site --js-flags=--no-turbofan,--no-maglev'.split(
    ' ',
  )

/**
 * Debian's Chromium as its shell without windows: the whole browser draws its own frame around each page, in processes of
 * their own. And without what it would like to fetch for itself.
 */
export const launch = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: executable, args: [...flags, ...more] })

let shared: Promise<Browser> | undefined

/** One browser for all test files of a worker. It ends with the worker: Chromium exits when its pipe is closed. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= launch())
