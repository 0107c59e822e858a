import type { Ticket } from './ticket.ts'

export type StepProps = { onTicket: (ticket: Ticket) => void }
