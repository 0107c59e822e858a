/**
 * Traces by OTLP, only where the environment names a receiver; the SDK reads the rest from OTEL_* itself. It is loaded
 * only then: it is the largest part of the server and most processes run without it.
 */
export async function startTelemetry(serviceName: string): Promise<(() => Promise<void>) | undefined> {
  if (process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined) return undefined
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const { FastifyOtelInstrumentation } = await import('@fastify/otel')
  const sdk = new NodeSDK({
    serviceName,
    instrumentations: [new FastifyOtelInstrumentation({ registerOnInitialization: true })],
  })
  sdk.start()
  // What could not be delivered at the end is lost; that must not look like a crash.
  return () => sdk.shutdown().catch(() => undefined)
}
