import { sessionStage } from '@wattdeck/contract/auth/login.ts'
import { setPartialToken, storeToken } from '../../../kit/api/token.ts'

export type Stage = 'full' | 'secondFactor' | 'enrol' | 'password'
export type Ticket = { access_token: string; stage: Stage }

/** Stores the token of a completed login; a partial token is only held in memory. Returns the pending step. */
export function acceptTicket(ticket: Ticket): Exclude<Stage, 'full'> | undefined {
  if (ticket.stage === sessionStage.code.full) {
    storeToken(ticket.access_token)
    return undefined
  }
  setPartialToken(ticket.access_token)
  return ticket.stage
}

/** The server requests a captcha by this message. */
export const asksForCaptcha = (texts: readonly string[]) => texts.some((text) => text.includes('请输入图形验证码'))
