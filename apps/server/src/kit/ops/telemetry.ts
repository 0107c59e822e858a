/**
 * Exports traces by OTLP when the environment names an endpoint. The SDK reads the other OTEL_* settings itself. It is
 * loaded only then, because it is the largest dependency of the server and most processes run without it.
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
  // Traces that cannot be delivered at shutdown are lost; that must not look like a crash.
  return () => sdk.shutdown().catch(() => undefined)
}
