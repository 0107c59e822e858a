import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import type { login } from '@wattdeck/contract/auth/login.ts'
import type { Ticket } from '../fast-login/ticket.ts'

export type StepProps = { onTicket: (ticket: Ticket) => void }

/** The reply to a bound first factor: a ticket, and recovery codes that are shown once. */
export type Bound = DataOf<typeof login.confirmEnrolment>
