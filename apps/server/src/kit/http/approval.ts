import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { refuseImpersonation } from '../auth/actor.ts'
import { assertDifferentPerson } from '../auth/two-people.ts'
import type { Db } from '../db/db.ts'
import { notifyHolders, notifyPerson } from '../events/notify-holders.ts'
import { publishToOrganisation } from '../events/outbox.ts'
import type { Ctx } from './handlers.ts'
import { conflict, orNotFound } from './refusal.ts'

type Caller = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type How = 'lock' | 'look'

/** A request that another person approves or rejects (maker-checker). */
type Request = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  /** Null when a member or a program made the request. */
  createdById: string | null
}

type Spec<R extends Request> = {
  /** Approvers hold the action `approve` of this menu. */
  menu: string
  /** Lists that show requests or their effects; open ones are refreshed. */
  lists: readonly string[]
  /** A request in the caller's scope. */
  find: (db: Db, id: string, how: How) => Promise<R | undefined>
  /** People who took a step of it and may take no other, each with the text of the refusal. */
  doers: (request: R) => readonly { by: string | null; refusal: string }[]
  /** Number and subject of the request, for notices. */
  label: (request: R) => string
  /** Path of the screen where its maker finds it. */
  path: (request: R) => string
}

const placeOf = ({ organiseId, agentId, siteId }: Request) => ({
  organise_id: organiseId,
  agent_id: agentId,
  site_id: siteId,
})

/**
 * The common parts of every approval. The feature defines the effect of a decision and the state that allows it. Its update
 * names the previous state (optimistic lock).
 */
export function defineApproval<R extends Request>(spec: Spec<R>) {
  async function read({ db }: Pick<Caller, 'db'>, id: string, how: How = 'lock'): Promise<R> {
    return orNotFound(await spec.find(db, id, how))
  }

  return {
    read,

    /** Reads a request for a decision: made by another person, no step taken by the caller, and no impersonation. */
    readForeign: async (caller: Caller, id: string, how: How = 'lock'): Promise<R> => {
      refuseImpersonation(caller)
      const request = await read(caller, id, how)
      for (const { by, refusal } of spec.doers(request)) await assertDifferentPerson(caller, by, refusal)
      return request
    },

    /** Reads the caller's own request, to be withdrawn. */
    readOwn: async (caller: Caller, id: string, refusal: string): Promise<R> => {
      refuseImpersonation(caller)
      const request = await read(caller, id)
      if (request.createdById !== caller.actor.userId) throw conflict(refusal)
      return request
    },

    /** Notifies the people who may take the next step, except the caller. */
    notifyDeciders: (
      { db, scope, actor }: Caller,
      request: R,
      { title, body = spec.label(request), route, action = 'approve' }: Notice,
    ): Promise<void> =>
      notifyHolders(
        db,
        scope,
        { place: placeOf(request), grant: { menu: spec.menu, action }, except: actor.userId },
        { type: popupType.code.system, title, body, route: route ?? spec.path(request) },
      ),

    /** Notifies the maker of the outcome. */
    notifyApplicant: async ({ db, scope }: Caller, request: R, title: string, reason?: string): Promise<void> => {
      if (request.createdById === null) return
      await notifyPerson(db, scope, request.createdById, {
        type: popupType.code.system,
        title,
        body: [spec.label(request), ...(reason === undefined ? [] : [reason])].join('，'),
        route: spec.path(request),
      })
    },

    publishChange: async (db: Db, request: Omit<Request, 'id' | 'createdById'>): Promise<void> => {
      const place = placeOf({ id: '', createdById: null, ...request })
      for (const list of spec.lists) await publishToOrganisation(db, place, { kind: 'changed', list })
    },
  }
}

type Notice = { title: string; body?: string; route?: string; action?: 'edit' | 'approve' }
