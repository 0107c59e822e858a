import type { NatsConnection } from '@nats-io/transport-node'
import {
  type SignerKind,
  type SignerReply,
  type SignerRequests,
  signerSubject,
} from '@wattdeck/contract/events/signer-bus.ts'
import { overloaded } from '../http/refusal.ts'

const answerMs = 5000
/** Requests that wait at once. Beyond it the caller tries again later, so a flood of forged notices does not queue up. */
const maxWaiting = 50

/** The api's side of the signer: keys of merchants and of the device authority are in the worker only. */
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

  /** Refuses with 503 while no worker answers: browsers and payment providers repeat such a request. */
  async ask<K extends SignerKind>(kind: K, request: SignerRequests[K]['request']): Promise<SignerRequests[K]['reply']> {
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
