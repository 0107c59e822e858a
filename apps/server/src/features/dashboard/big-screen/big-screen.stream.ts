import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayAct } from '../../../kit/auth/job-actor.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { bearerToken } from '../../../kit/auth/admit.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { forbidden } from '../../../kit/http/refusal.ts'

/** Opens the event stream of one organisation, or of everything in scope. */
export function openScreen(
  { screens, sessions }: Pick<Deps, 'screens' | 'sessions'>,
  { scope }: Actor,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (id !== '0' && scope.level > 0 && id !== scope.organiseId) throw forbidden()
  const token = bearerToken(request)
  const mayLook = async () => {
    // A caller without a session: the component that authenticated them ends the stream.
    if (token === '') return true
    const actor = await sessions.find(token, false)
    return actor !== undefined && mayAct(actor, bigScreen.heartbeat.access)
  }
  const chosen = id === '0' ? undefined : id
  screens.open({ organiseId: scope.level > 0 ? scope.organiseId : chosen, mayLook }, request, reply)
}
