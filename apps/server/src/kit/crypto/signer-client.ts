import type { NatsConnection } from '@nats-io/transport-node'
import {
  type SignerKind,
  type SignerReply,
  type SignerRequests,
  signerSubject,
} from '@wattdeck/contract/events/signer-bus.ts'
import { overloaded } from '../http/refusal.ts'

const answerMs = 5000
/** Limit of concurrent requests (backpressure). Beyond it the caller retries, so that forged notices do not queue up. */
const maxWaiting = 50

/** The api's side of the signer. Only the worker has the keys of merchants and of the device authority. */
export class SignerClient {
  readonly #subject: string
  #bus: NatsConnection | undefined
  #waiting = 0

  constructor(prefix: string) {
    this.#subject = signerSubject(prefix)
  }

  connect(bus: NatsConnection): void {
    this.#bus = bus
  }

  /** Refuses with 503 while no worker answers. Browsers and payment providers retry such a request. */
  async request<K extends SignerKind>(
    kind: K,
    request: SignerRequests[K]['request'],
  ): Promise<SignerRequests[K]['reply']> {
    if (this.#bus === undefined || this.#waiting >= maxWaiting) throw overloaded()
    this.#waiting += 1
    const reply = await this.#bus
      .request(this.#subject, JSON.stringify({ kind, ...request }), { timeout: answerMs })
      .then((message) => message.json<SignerReply<K>>())
      .catch(() => {
        throw overloaded()
      })
      .finally(() => {
        this.#waiting -= 1
      })
    if ('refused' in reply) throw new Error(`the signer refused: ${reply.refused}`)
    return reply
  }
}
