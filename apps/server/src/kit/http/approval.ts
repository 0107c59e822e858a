import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { asThemselves } from '../auth/actor.ts'
import { assertAnother } from '../auth/two-people.ts'
import type { Db } from '../db/db.ts'
import { notifyHolders, notifyPerson } from '../events/notify-holders.ts'
import { publishToOrganisation } from '../events/outbox.ts'
import type { Ctx } from './handlers.ts'
import { conflict, orNotFound } from './refusal.ts'

type Caller = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type How = 'lock' | 'look'

/** What somebody asks for and another person decides on. */
type Request = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  /** Null: a member asked, or a program. */
  createdById: string | null
}

type Spec<R extends Request> = {
  /** Who may decide holds its action `approve`. */
  menu: string
  /** Lists that show requests or what they change; open ones read themselves again. */
  lists: readonly string[]
  /** A request in the caller's scope. */
  find: (db: Db, id: string, how: How) => Promise<R | undefined>
  /** Who has taken a step of it and may take no other, and what they are told then. */
  doers: (request: R) => readonly { by: string | null; refusal: string }[]
  /** Its number, and what it is about, for notices. */
  label: (request: R) => string
  /** Where its maker finds it. */
  path: (request: R) => string
}

const placeOf = ({ organiseId, agentId, siteId }: Request) => ({
  organise_id: organiseId,
  agent_id: agentId,
  site_id: siteId,
})

/**
 * The parts that every approval by another person has. What a decision does, and in which state it is possible, is the
 * feature's; the update that writes it names the state it comes from.
 */
export function defineApproval<R extends Request>(spec: Spec<R>) {
  async function read({ db }: Pick<Caller, 'db'>, id: string, how: How = 'lock'): Promise<R> {
    return orNotFound(await spec.find(db, id, how))
  }

  return {
    read,

    /** A request of somebody else, of which the caller has taken no step, to be decided on in person. */
    readForeign: async (caller: Caller, id: string, how: How = 'lock'): Promise<R> => {
      asThemselves(caller)
      const request = await read(caller, id, how)
      for (const { by, refusal } of spec.doers(request)) await assertAnother(caller, by, refusal)
      return request
    },

    /** The caller's own request, to be taken back. */
    readOwn: async (caller: Caller, id: string, refusal: string): Promise<R> => {
      asThemselves(caller)
      const request = await read(caller, id)
      if (request.createdById !== caller.actor.userId) throw conflict(refusal)
      return request
    },

    /** Tells those who may take the next step, except who has just acted. */
    tellDeciders: (
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

    /** Tells who asked what became of it. */
    tellMaker: async ({ db, scope }: Caller, request: R, title: string, reason?: string): Promise<void> => {
      if (request.createdById === null) return
      await notifyPerson(db, scope, request.createdById, {
        type: popupType.code.system,
        title,
        body: [spec.label(request), ...(reason === undefined ? [] : [reason])].join('，'),
        route: spec.path(request),
      })
    },

    tellChanged: async (db: Db, request: Omit<Request, 'id' | 'createdById'>): Promise<void> => {
      const place = placeOf({ id: '', createdById: null, ...request })
      for (const list of spec.lists) await publishToOrganisation(db, place, { kind: 'changed', list })
    },
  }
}

type Notice = { title: string; body?: string; route?: string; action?: 'edit' | 'approve' }
