import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { offlineStatus } from '@wattdeck/contract/operating/offline-recharge.ts'
import { cardReplacementStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { sql } from 'kysely'
import { amount, joined, may, type Rights, type Task } from './to-do-task.ts'

/** Money taken at the desk that waits for another person. */
export function deskRecharges(who: Rights): Task[] {
  if (!may(who, menuKey.offlineRecharge, 'approve')) return []
  return [
    {
      kind: 'offlineRecharge',
      queue: {
        table: 'offline_recharge',
        where: sql`status = ${sql.lit(offlineStatus.code.waiting)} and created_by_id <> ${who.userId}`,
        at: sql`created_at`,
        fen: sql`amount_fen`,
        words: sql`created_by`,
      },
      route: '/operating/offlineRecharge?status=1',
      titleOf: (row) => joined(amount(row), row.words),
      // The number that users see.
      routeOf: ({ id }) => `/operating/offlineRecharge?keyword=XC${id.padStart(8, '0')}`,
    },
  ]
}

/** Replacements of cards with money that wait for another person. */
export function cardReplacements(who: Rights): Task[] {
  if (!may(who, menuKey.storedCard, 'approve')) return []
  return [
    {
      kind: 'cardReplacement',
      queue: {
        table: 'card_replacement',
        // The agent and the site are those of the card, which row-level security decides on.
        where: sql`status = ${sql.lit(cardReplacementStatus.code.waiting)} and created_by_id <> ${who.userId}
          and exists (select from stored_card where stored_card.id = card_replacement.card_id)`,
        at: sql`created_at`,
        words: sql`created_by`,
        more: sql`(select card_no from stored_card where stored_card.id = card_replacement.card_id)`,
        wholeOrganise: true,
      },
      route: '/operating/storedCard?waits=true',
      titleOf: (row) => joined(row.more, row.words),
      routeOf: (row) => `/operating/storedCard?keyword=${row.more ?? ''}`,
    },
  ]
}
