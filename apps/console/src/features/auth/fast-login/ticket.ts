import { sessionStage } from '@wattdeck/contract/auth/login.ts'
import { holdPartialToken, keepToken } from '../../../kit/api/token.ts'

export type Stage = 'full' | 'secondFactor' | 'enrol' | 'password'
export type Ticket = { access_token: string; stage: Stage }

/** Keeps the token of a finished login; one that still owes a step is only held. Answers the step that is owed. */
export function acceptTicket(ticket: Ticket): Exclude<Stage, 'full'> | undefined {
  if (ticket.stage === sessionStage.code.full) {
    keepToken(ticket.access_token)
    return undefined
  }
  holdPartialToken(ticket.access_token)
  return ticket.stage
}

/** The server's way to ask for a picture code. */
export const asksForCaptcha = (texts: readonly string[]) => texts.some((text) => text.includes('请输入图形验证码'))
