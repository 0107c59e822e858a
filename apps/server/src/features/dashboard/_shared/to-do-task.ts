import type { ToDo } from '@wattdeck/contract/dashboard/work-table.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import type { Queue, Waiting } from './to-do.store.ts'

/** A queue with its texts and links: to the list of waiting records, and to each record. */
export type Task = {
  kind: ToDo['kind']
  queue: Queue
  route: string
  titleOf: (row: Waiting) => string
  routeOf: (row: Waiting) => string
}
export type Rights = Pick<Actor, 'userId' | 'userType' | 'menuKeys' | 'grants'>

export const amount = ({ fen }: Waiting) => `¥${yuanText(BigInt(fen ?? 0))}`
export const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')
export const may = ({ grants }: Rights, menu: string, action: 'edit' | 'approve') =>
  grants.includes(`${menu}:${action}`)
export const sees = ({ menuKeys }: Rights, menu: string) => menuKeys.includes(menu)
