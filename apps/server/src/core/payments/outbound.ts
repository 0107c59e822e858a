export type ProviderResponse = { status: number; head: Headers; body: Buffer }
export type RequestFailure = { lost: string }
type ProviderRequest = {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
  limit?: number
}

export type OutboundSetting = {
  /** The only hosts that may be called, regardless of addresses in answers. */
  hosts: readonly string[]
  timeoutMs: number
}

const answerLimit = 1024 * 1024
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * The only client for payment providers: listed hosts, TLS except on loopback, no redirects, a timeout and a size limit.
 * Failures get fixed messages, because messages of the runtime may quote addresses with tokens.
 */
export class Outbound {
  readonly #hosts: ReadonlySet<string>
  readonly #timeoutMs: number

  constructor({ hosts, timeoutMs }: OutboundSetting) {
    this.#hosts = new Set(hosts)
    this.#timeoutMs = timeoutMs
  }

  async send({
    method,
    url,
    headers,
    body,
    limit = answerLimit,
  }: ProviderRequest): Promise<ProviderResponse | RequestFailure> {
    if (!this.#mayCall(url)) return { lost: 'the address is not on the list' }
    const signal = AbortSignal.timeout(this.#timeoutMs)
    try {
      const bodyPart = body === undefined ? {} : { body }
      const reply = await fetch(url, { method, headers, redirect: 'error', signal, ...bodyPart })
      const read = await readUpTo(reply, limit)
      return read === undefined
        ? { lost: 'the answer is too long' }
        : { status: reply.status, head: reply.headers, body: read }
    } catch {
      return { lost: signal.aborted ? 'no answer in time' : 'no connection' }
    }
  }

  #mayCall({ protocol, host, hostname }: URL): boolean {
    const safe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
    return safe && this.#hosts.has(host)
  }
}

async function readUpTo(reply: Response, limit: number): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of reply.body ?? []) {
    length += piece.length
    if (length > limit) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
