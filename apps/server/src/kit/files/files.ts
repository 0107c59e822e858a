import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../ops/config.ts'
import { notFound, Refusal } from '../http/refusal.ts'

const timeoutMs = 8000
const binary = 'application/octet-stream'

/**
 * Objects in one bucket, over the S3 API. Every call has a timeout of eight seconds; a body may take longer while it flows.
 * A failure of the storage is refused with 503. Never call it in a transaction: see `prepared` in handlers.ts.
 */
export class Files {
  readonly #client: S3Client
  readonly #bucket: string
  #answeredMs = Number.NEGATIVE_INFINITY
  #probing: Promise<boolean> | undefined
  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: Config['files']) {
    this.#bucket = bucket
    this.#client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      // One retry, for a kept-alive connection that the server has closed.
      maxAttempts: 2,
      // Checksums in trailers are specific to Amazon; other stores refuse them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 2000,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
        // Also ends a download whose reader has stalled.
        socketTimeout: 30_000,
        httpAgent: { maxSockets: 100 },
        httpsAgent: { maxSockets: 100 },
      },
    })
  }

  async put(key: string, bytes: Buffer, type = binary, withinMs = timeoutMs): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes, ContentType: type })
    await this.#timed((signal) => this.#client.send(command, { abortSignal: signal }), withinMs)
  }

  /** Holds at most two parts of 5 MB in memory. Returns the number of bytes. Rethrows an error of the source unchanged. */
  async putStream(key: string, source: Readable, type = binary): Promise<number> {
    let bytes = 0
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length
        done(null, chunk)
      },
    })
    const params = { Bucket: this.#bucket, Key: key, Body: counted, ContentType: type }
    const stored = new Upload({ client: this.#client, params, queueSize: 2 }).done().catch((error: unknown) => {
      const failure = source.errored ?? unavailable(error)
      counted.destroy(failure)
      throw failure
    })
    await Promise.all([stored, pipeline(source, counted)])
    return bytes
  }

  /** Streams an object. `bytes` is its size when the storage reports it. */
  async getStream(key: string): Promise<{ body: Readable; bytes: number | undefined }> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key })
    const { Body, ContentLength } = await this.#timed((signal) => this.#client.send(command, { abortSignal: signal }))
    if (Body === undefined) throw notFound()
    return { body: Body as Readable, bytes: ContentLength }
  }

  /** Succeeds for a missing object. */
  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })
    await this.#timed((signal) => this.#client.send(command, { abortSignal: signal }))
  }

  /** Whether the bucket answers within a second. Success is cached for ten seconds, because load balancers poll often. */
  ready(): Promise<boolean> {
    if (performance.now() - this.#answeredMs < 10_000) return Promise.resolve(true)
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined))
    return this.#probing
  }

  async #probe(): Promise<boolean> {
    // No object has this name; 'not found' proves that the bucket answers.
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: 'ready' })
    try {
      await this.#timed((signal) => this.#client.send(command, { abortSignal: signal }), 1000)
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) return false
    }
    this.#answeredMs = performance.now()
    return true
  }

  close(): void {
    this.#client.destroy()
  }

  /** The timeout ends with the reply's headers, because a later abort would cut the body. */
  async #timed<T>(send: (signal: AbortSignal) => Promise<T>, withinMs = timeoutMs): Promise<T> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), withinMs)
    try {
      return await send(limit.signal)
    } catch (error) {
      throw error instanceof Error && error.name === 'NoSuchKey' ? notFound() : unavailable(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

const unavailable = (cause: unknown) => new Refusal(503, '文件服务暂不可用', { retryAfterSeconds: 5, cause })
