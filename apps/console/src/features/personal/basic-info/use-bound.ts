import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { type login, sessionStage } from '@wattdeck/contract/auth/login.ts'
import { useNavigate } from 'react-router'
import { leave } from '../../../kit/api/session.ts'
import { keepToken } from '../../../kit/api/token.ts'
import { keepShownCodes } from './shown-codes.ts'

/** Goes on with the session that binding a factor has opened; the one before has ended. */
export function useBound() {
  const navigate = useNavigate()
  return (ticket: DataOf<typeof login.confirmEnrolment>) => {
    if (ticket.stage !== sessionStage.code.full) {
      void leave()
      return
    }
    keepToken(ticket.access_token)
    keepShownCodes(ticket.recoveryCodes)
    // Draws the shell anew: its live stream still hangs on the session that has ended.
    void navigate('/redirect/personal/basicInfo', { replace: true })
  }
}
