/** reply: the server answered with an error. timeout and network: no answer came. shape: the answer broke the contract. */
type Failure = 'reply' | 'timeout' | 'network' | 'shape'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: Failure
  readonly status: number
  readonly texts: readonly string[]
  /** What the user quotes and the log is searched by. */
  readonly requestId: string

  constructor(failure: Failure, status: number, texts: readonly string[], requestId: string, cause?: unknown) {
    super(texts.join('；'), { cause })
    this.failure = failure
    this.status = status
    this.texts = texts
    this.requestId = requestId
  }
}
