/** reply: the server responded with an error. timeout and network: no response. shape: the response violates the contract. */
type Failure = 'reply' | 'timeout' | 'network' | 'shape'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: Failure
  readonly status: number
  readonly texts: readonly string[]
  /** The user quotes it to find the entry in the log. */
  readonly requestId: string
  /** One message for each rejected field of a form. */
  readonly fields: Readonly<Record<string, string>>

  constructor(
    failure: Failure,
    status: number,
    texts: readonly string[],
    requestId: string,
    more: { cause?: unknown; fields?: Readonly<Record<string, string>> | undefined } = {},
  ) {
    super(texts.join('；'), { cause: more.cause })
    this.failure = failure
    this.status = status
    this.texts = texts
    this.requestId = requestId
    this.fields = more.fields ?? {}
  }
}
