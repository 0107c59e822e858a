import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { type login, sessionStage } from '@wattdeck/contract/auth/login.ts'
import { useNavigate } from 'react-router'
import { leave } from '../../../kit/api/session.ts'
import { storeToken } from '../../../kit/api/token.ts'
import { keepShownCodes } from './shown-codes.ts'

/** Continues with the session that was opened by binding a factor; the previous one has ended. */
export function useBound() {
  const navigate = useNavigate()
  return (ticket: DataOf<typeof login.confirmEnrolment>) => {
    if (ticket.stage !== sessionStage.code.full) {
      void leave()
      return
    }
    storeToken(ticket.access_token)
    keepShownCodes(ticket.recoveryCodes)
    // Remounts the shell, because its live stream still belongs to the ended session.
    void navigate('/redirect/personal/basicInfo', { replace: true })
  }
}
