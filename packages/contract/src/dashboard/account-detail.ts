import { z } from 'zod'
import { accountKind } from '../accounting/ledger-codes.ts'
import { StatementEntry } from '../accounting/statement.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { date, id, money, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'

/** A ledger account over a period. Money is in yuan. */
export type AccountDetail = z.infer<typeof AccountDetail>
export const AccountDetail = row({
  id: z.string(),
  kind: accountKind.schema,
  ownerId: z.string().describe('a member, card, site, agent or channel; 0 is the organisation'),
  ownerName: z.string().nullable(),
  memberId: z.string().nullable().describe('owner of a member wallet; null for other accounts'),
  ...ownerNames,
  opening: money,
  income: money,
  expense: money,
  closing: money,
  frozen: money.nullable().describe('currently reserved for charges; null for accounts without reservations'),
  available: money.nullable().describe('current spendable amount; null for accounts without spending'),
  updatedAt: time.nullable().describe('time of the newest entry'),
})

/** The columns of the list and of the exported file. */
export const accountColumns = {
  kind: '账户',
  ownerName: '账户归属',
  ownerId: '账户归属编号',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  opening: '期初',
  income: '收入',
  expense: '支出',
  closing: '期末',
  frozen: '冻结',
  available: '可用',
  updatedAt: '更新时间',
} as const

const menu = menuKey.accountDetail
const days = { from: date.optional(), to: date.optional() }
/** The default period in days when no first day is given, and the longest period: a year and a day. */
export const statementDays = { usual: 30, most: 366 }

export const accountDetail = {
  list: get('/seeker/api/accountDetail/pageList', {
    access: { menu },
    query: PageQuery.extend({
      kind: accountKind.wire.optional(),
      ownerId: id.optional().describe('number of the member, site or agent'),
      ...ownerIds,
      ...days,
    }),
    data: page(AccountDetail),
  }),
  /** Entries of one account, newest first. */
  entries: get('/seeker/api/accountDetail/entries/{id}', {
    access: { menu },
    params: row({ id }),
    query: PageQuery.extend(days),
    data: page(StatementEntry),
  }),
  exportList: exportList('/seeker/api/accountDetail/export', { menu, module: '账户明细' }),
}
