import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { row } from './wire.ts'

/** Resource action kinds of spec §6. */
export type Action = 'add' | 'edit' | 'delete' | 'import' | 'export' | 'setStandard' | 'upgrade' | 'control' | 'approve'

/**
 * Who may call a route.
 * public: no login. partial: logged in, with a pending second factor or password change.
 * anyone: logged in. signed: a program that signs its requests. Otherwise one of the menu keys, and the action kind
 * when the route changes data. platform: only platform staff, regardless of roles in other organisations; for shared
 * data.
 * screen: also the holder of a link to a data screen, within the organisation of the link; no other route accepts it.
 * ownHands: not in an impersonated session, and with a recent proof of the second factor, as in every approving route.
 */
export type Access =
  | 'public'
  | 'partial'
  | 'anyone'
  | 'signed'
  | { menu: string | readonly string[]; action?: Action; platform?: true; screen?: true; ownHands?: true }
/** raw: the unparsed bytes, because the sender signed exactly these. */
export type Encoding = 'query' | 'form' | 'json' | 'multipart' | 'raw' | 'sse'

type Shape = z.ZodType
/** The audit log entry of a route that changes data; 'none' declares that it changes nothing. */
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
  /** Read-only regardless of the method: it runs in a read-only transaction and takes no idempotency key. */
  reads: boolean
  /** The caller must send an Idempotency-Key: a retry receives the first reply. */
  idempotent: boolean
  /** Maximum size in bytes of the one file of a multipart route. */
  maxBytes: number
  /**
   * file: the handler names an object in storage, whose bytes are the reply instead of an envelope. plain: the caller
   * is a foreign system that expects its own format.
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

/** The result of the handler of a file route. The caller receives the bytes of the object, never its key. */
export type FileReply = z.infer<typeof FileReply>
const FileReply = row({ key: z.string(), name: z.string(), type: z.string() })
/** Spread into a get or post that replies with a file. */
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
    // A captcha is created by GET and stored.
    reads: spec.access !== 'public',
    idempotent: false,
    maxBytes: 0,
    reply: 'json',
    params: nothing,
    query: nothing,
    body: nothing,
    ...spec,
  }) as unknown as Route<P, Q, Nothing, D>

/** The verbatim reply of a plain route. */
export type PlainReply = z.infer<typeof PlainReply>
const PlainReply = row({ status: z.int(), type: z.string(), body: z.string() })

/** The unparsed body. */
const RawBody = row({
  head: row({}).catchall(z.string()),
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
})

/**
 * A route for a foreign system with its own signature scheme. There is no session: the handler must verify the bytes
 * before it uses them.
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
  /** For multipart; defaults to the limit of a picture. */
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

/** Reply of a change without data. */
export const done = z.null()
export const envelope = <D extends Shape>(data: D) => row({ success: z.boolean(), message: z.string(), data })
/** The reply to a refused call. A 422 contains the invalid fields with a message for each. */
export const refusedEnvelope = envelope(z.null()).extend({
  success: z.literal(false),
  fields: z.record(z.string(), z.string()).optional(),
})
export type Envelope = { success: boolean; message: string; data: unknown; fields?: Record<string, string> }

/** '/a/{id}' with its parameters filled in; a missing one throws instead of becoming 'undefined'. */
export const fillPath = (path: string, params: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
