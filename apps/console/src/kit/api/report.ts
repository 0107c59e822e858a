import { isReported } from './error-handling.ts'

const dsn = import.meta.env['VITE_SENTRY_DSN'] as string | undefined

async function start(address: string) {
  const { captureException, init } = await import('@sentry/react')
  init({ dsn: address, defaultIntegrations: false })
  return captureException
}

let client: ReturnType<typeof start> | undefined

async function send(failure: unknown, address: string, reportId: string | undefined) {
  try {
    client ??= start(address)
    const capture = await client
    capture(failure, reportId ? { tags: { reportId } } : undefined)
  } catch {
    // The caller already handles an error, so a failed report is ignored.
  }
}

/** Sends an error to the reporting service, if one is set up. */
export function report(failure: unknown, reportId?: string) {
  if (dsn && isReported(failure)) void send(failure, dsn, reportId)
}
