import type { Actor } from '../../../kit/auth/actor.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { Refusal } from '../../../kit/http/refusal.ts'
import { endExcessSessions } from '../../../kit/auth/sessions.ts'
import * as store from './login.store.ts'

type Doing = Pick<Ctx<never>, 'db' | 'scope' | 'request' | 'afterCommit'>
type Ticket = { access_token: string; stage: Actor['stage'] }

/** Opens a session at the given stage. Above the limit the oldest session of the person ends. */
export async function openSession(
  ctx: Doing,
  deps: Deps,
  person: store.Person,
  stage: Actor['stage'],
  opening: store.Opening,
): Promise<Ticket> {
  const { db, request } = ctx
  const token = await store.addSession(db, person, stage, { ...request, ...opening })
  const opened = { userId: person.id, isFull: stage === 'full', isLink: opening.actedBy !== undefined }
  await endExcessSessions(ctx, deps.sessions, opened, deps.sessionsPerPerson)
  return { access_token: token, stage }
}

/** Opens a session at the stage that follows the completed step. */
export async function continueLogin(
  ctx: Doing,
  deps: Deps,
  person: store.Person,
  opening: store.Opening,
): Promise<Ticket> {
  const isFactorProven = opening.factor !== undefined
  const stage = await store.nextStage(ctx.db, person, {
    isFactorProven,
    factorLevel: deps.secondFactorLevel,
  })
  // A text message alone must not bind the factor that protects the account from then on.
  if (stage === 'enrol' && opening.openedBy === 'sms')
    throw new Refusal(401, '您的账号须绑定二次验证，请使用密码登录', { keep: true })
  return openSession(ctx, deps, person, stage, opening)
}
