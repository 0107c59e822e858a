import type { Msg } from '@nats-io/transport-node'
import { Counter } from 'prom-client'

const malformed = new Counter({ name: 'gateway_malformed_total', help: 'Bus messages that could not be parsed' })

/** Wraps a subscription callback. The NATS client closes the connection when a callback throws. */
export const busCallback =
  (take: (message: Msg) => void, onMalformed: (error: unknown, subject: string) => void = () => undefined) =>
  (error: unknown, message: Msg): void => {
    if (error !== null) return
    try {
      take(message)
    } catch (fault) {
      malformed.inc()
      onMalformed(fault, message.subject)
    }
  }
