/** reply: the server answered with an error. timeout and network: no answer came. shape: the answer broke the contract. */
type Failure = 'reply' | 'timeout' | 'network' | 'shape'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: Failure
  readonly status: number
  readonly texts: readonly string[]
  /** What the user quotes and the log is searched by. */
  readonly requestId: string
  /** The fields of a refused form, with a message each. */
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
