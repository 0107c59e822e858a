import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { ownPath } from '../../../kit/routing/own-path.ts'
import { homePath } from '../../../kit/routing/paths.ts'
import { dropToken } from '../../../kit/api/token.ts'
import { acceptTicket, type Stage, type Ticket } from '../fast-login/ticket.ts'

/** Takes a ticket through its pending steps to the requested page. */
export function useEntry() {
  const navigate = useNavigate()
  const [search] = useSearch()
  const [owed, setOwed] = useState<Exclude<Stage, 'full'>>()

  function enter(ticket: Ticket) {
    const stage = acceptTicket(ticket)
    setOwed(stage)
    if (stage === undefined) void navigate(ownPath(search.get('redirect'), homePath), { replace: true })
  }
  function restart() {
    dropToken()
    setOwed(undefined)
  }
  return { owed, enter, restart }
}
