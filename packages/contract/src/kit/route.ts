import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { row } from './wire.ts'

/** Resource action kinds of spec §6. */
export type Action = 'add' | 'edit' | 'delete' | 'import' | 'export' | 'setStandard' | 'upgrade' | 'control' | 'approve'

/**
 * Who may call a route.
 * public: nobody is logged in. partial: logged in, but a second factor or a new password is still owed.
 * anyone: logged in. signed: no person but a program, which has signed the request. Otherwise one of the menu keys, and the action kind when it changes data. platform: nobody but the
 * platform's own people, whatever a role of another organisation may say; for what all organisations share. screen: also
 * whoever holds a link to a data screen, within the one organisation of that link; no other route takes such a link.
 * ownHands: by nobody in another's name, with a second factor proven a moment ago, as every route that approves.
 */
export type Access =
  | 'public'
  | 'partial'
  | 'anyone'
  | 'signed'
  | { menu: string | readonly string[]; action?: Action; platform?: true; screen?: true; ownHands?: true }
/** raw: the bytes as they came, whatever they claim to be, because somebody has signed exactly these. */
export type Encoding = 'query' | 'form' | 'json' | 'multipart' | 'raw' | 'sse'

type Shape = z.ZodType
/** What stands in the log when the route has changed data; 'none' says in the contract that it changes nothing. */
export type Audit = { module: string; does: string } | 'none'

export type Route<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  D extends Shape = Shape,
> = {
  method: 'GET' | 'POST'
  path: string
  access: Access
  encoding: Encoding
  timeoutMs: number
  audit: Audit
  /** Changes nothing, whatever its method: it runs in a transaction that cannot write, and takes no key. */
  reads: boolean
  /** The caller must send an Idempotency-Key: the second arrival gets the first answer. */
  idempotent: boolean
  /** Most bytes of the one file that a multipart route takes. */
  maxBytes: number
  /**
   * file: the handler names an object in storage, and its bytes are the answer instead of an envelope. plain: the caller
   * is a foreign system that wants to hear its own words.
   */
  reply: 'json' | 'file' | 'plain'
  params: P
  query: Q
  body: B
  data: D
}
// oxlint-disable-next-line typescript/no-explicit-any -- a route of any shape; zod's generics are invariant
export type AnyRoute = Route<any, any, any, any>
export type Routes = Record<string, AnyRoute>
export type ParamsOf<R extends AnyRoute> = z.output<R['params']>
export type QueryOf<R extends AnyRoute> = z.output<R['query']>
export type BodyOf<R extends AnyRoute> = z.output<R['body']>
export type DataOf<R extends AnyRoute> = z.output<R['data']>

const nothing = row({})
export type Nothing = typeof nothing

/** What the handler of a file route answers. The caller gets the bytes behind the key, never the key itself. */
export type FileReply = z.infer<typeof FileReply>
const FileReply = row({ key: z.string(), name: z.string(), type: z.string() })
/** Spread into a get or post that answers with a file. */
export const asFile = { reply: 'file', data: FileReply } as const

export type GetSpec<D extends Shape, Q extends Shape, P extends Shape> = {
  access: Access
  params?: P
  query?: Q
  data: D
  timeoutMs?: number
  reply?: 'json' | 'file'
}
export const get = <D extends Shape, Q extends Shape = Nothing, P extends Shape = Nothing>(
  path: string,
  spec: GetSpec<D, Q, P>,
) =>
  ({
    method: 'GET',
    path,
    encoding: 'query',
    timeoutMs: 30_000,
    audit: 'none',
    // A captcha is asked for by GET and stored.
    reads: spec.access !== 'public',
    idempotent: false,
    maxBytes: 0,
    reply: 'json',
    params: nothing,
    query: nothing,
    body: nothing,
    ...spec,
  }) as unknown as Route<P, Q, Nothing, D>

/** What the handler of a plain route answers, word for word. */
export type PlainReply = z.infer<typeof PlainReply>
const PlainReply = row({ status: z.int(), type: z.string(), body: z.string() })

/** Not read by any parser of ours. */
const RawBody = row({
  head: row({}).catchall(z.string()),
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
})

/**
 * Called by a foreign system that signs what it sends in its own way. Nobody is logged in: the handler believes nothing
 * before it has proven the bytes.
 */
export const webhook = <P extends Shape>(path: string, spec: { params: P }) =>
  ({
    method: 'POST',
    path,
    access: 'public',
    encoding: 'raw',
    timeoutMs: 5000,
    audit: 'none',
    reads: false,
    idempotent: false,
    maxBytes: 64 * 1024,
    reply: 'plain',
    query: nothing,
    body: RawBody,
    data: PlainReply,
    ...spec,
  }) as unknown as Route<P, Nothing, typeof RawBody, typeof PlainReply>

/** A stream of server-sent events; data is the shape of one event. */
export const stream = <D extends Shape, Q extends Shape = Nothing, P extends Shape = Nothing>(
  path: string,
  spec: { access: Access; params?: P; query?: Q; data: D },
) => ({
  ...get(path, spec),
  encoding: 'sse' as const,
})

export type PostSpec<D extends Shape, B extends Shape, P extends Shape> = {
  access: Access
  audit: Audit
  encoding?: 'form' | 'json' | 'multipart'
  params?: P
  body?: B
  data: D
  timeoutMs?: number
  reads?: true
  idempotent?: boolean
  /** For multipart; a picture's limit unless the route says otherwise. */
  maxBytes?: number
  reply?: 'json' | 'file'
}
export const post = <D extends Shape, B extends Shape = Nothing, P extends Shape = Nothing>(
  path: string,
  spec: PostSpec<D, B, P>,
) =>
  ({
    method: 'POST',
    path,
    encoding: 'form',
    timeoutMs: 30_000,
    reads: false,
    idempotent: false,
    maxBytes: pictureMaxBytes,
    reply: 'json',
    params: nothing,
    query: nothing,
    body: nothing,
    ...spec,
  }) as unknown as Route<P, Nothing, B, D>

/** Reply of a change that has nothing to tell but that it happened. */
export const done = z.null()
export const envelope = <D extends Shape>(data: D) => row({ success: z.boolean(), message: z.string(), data })
/** What is answered instead when a call is refused. A 422 names the fields that are meant, with a message for each. */
export const refusedEnvelope = envelope(z.null()).extend({
  success: z.literal(false),
  fields: z.record(z.string(), z.string()).optional(),
})
export type Envelope = { success: boolean; message: string; data: unknown; fields?: Record<string, string> }

/** '/a/{id}' with its parameters filled in; a missing one is a fault, not the word 'undefined'. */
export const fillPath = (path: string, params: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
