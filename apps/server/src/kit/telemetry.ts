import { FastifyOtelInstrumentation } from '@fastify/otel'
import { NodeSDK } from '@opentelemetry/sdk-node'

/** Traces by OTLP, only where the environment names a receiver; the SDK reads the rest from OTEL_* itself. */
export function startTelemetry(serviceName: string): (() => Promise<void>) | undefined {
  if (process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined) return undefined
  const sdk = new NodeSDK({
    serviceName,
    instrumentations: [new FastifyOtelInstrumentation({ registerOnInitialization: true })],
  })
  sdk.start()
  return () => sdk.shutdown()
}
