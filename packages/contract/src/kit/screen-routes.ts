import { z } from 'zod'
import { type Action, done, get, type GetSpec, type Nothing, post, type PostSpec } from './route.ts'
import { id, idList, row } from './wire.ts'

type ReadSpec<D extends z.ZodType, Q extends z.ZodType, P extends z.ZodType> = Omit<GetSpec<D, Q, P>, 'access'>
type ChangeSpec<D extends z.ZodType, P extends z.ZodType> = Omit<
  PostSpec<D, Nothing, P>,
  'access' | 'audit' | 'body' | 'data'
> & {
  /** Defaults to 'edit'. */
  action?: Action
  platform?: true
  ownHands?: true
  /** Schema of the reply; empty by default. */
  data?: D
}

type ApproveSpec = { idempotent?: true; platform?: true }

/** Reply of a route that creates one record. */
export const created = row({ id: z.string() })

/**
 * Builds the routes of one screen: its menu is required to read, an action of it to change, and the log contains the
 * screen. With `platform` only platform staff may change data.
 */
export function screenRoutes({ menu, module, platform }: { menu: string; module: string; platform?: true }) {
  /** A change with the fields of its body. `does` is its name in the log. */
  const change = <B extends z.ZodRawShape, D extends z.ZodType = typeof done, P extends z.ZodType = Nothing>(
    path: string,
    does: string,
    body: B,
    { action = 'edit', platform: only = platform, ownHands, data, ...spec }: ChangeSpec<D, P> = {},
  ) =>
    post(path, {
      access: { menu, action, ...(only && { platform: only }), ...(ownHands && { ownHands }) },
      audit: { module, does },
      body: row(body),
      data: (data ?? done) as D,
      ...spec,
    })

  return {
    read: <D extends z.ZodType, Q extends z.ZodType = Nothing, P extends z.ZodType = Nothing>(
      path: string,
      spec: ReadSpec<D, Q, P>,
    ) => get(path, { access: { menu }, ...spec }),
    change,
    /** A decision on the request of another person (maker-checker). */
    approve: <B extends z.ZodRawShape>(path: string, does: string, body: B, spec: ApproveSpec = {}) =>
      change(path, does, body, { action: 'approve', ...spec }),
    /** A change of selected records; the reply contains the number of changed ones. */
    changeMany: <B extends z.ZodRawShape>(path: string, does: string, body: B, action: Action = 'edit') =>
      change(path, does, { ids: idList(), ...body }, { action, data: row({ changed: z.int() }) }),
    /** Creates one record for each idempotency key, and replies with its id. */
    create: <B extends z.ZodRawShape>(path: string, does: string, body: B) =>
      change(path, does, body, { action: 'add', idempotent: true, data: created }),
    /** Removes one record. */
    remove: (path: string, does: string) => change(path, does, { id }, { action: 'delete' }),
  }
}
