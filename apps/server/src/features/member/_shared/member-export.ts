import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  followStatus,
  type MemberRow,
  type miniColumns,
  type wechatColumns,
} from '@wattdeck/contract/member/member-row.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'

type Key = keyof typeof wechatColumns | keyof typeof miniColumns
const amounts = new Set<Key>(['balance', 'paidBalance', 'giftBalance', 'frozen', 'recharged', 'consumed'])

function cellOf(key: Key, row: MemberRow): Cell {
  if (key === 'following') return followStatus.show(row.following).label
  if (key === 'status') return enabledStatus.show(row.status).label
  return amounts.has(key) ? { decimal: String(row[key]) } : row[key]
}

/** The columns of a file, by the titles of the list. */
export const memberCells = (titles: Partial<Record<Key, string>>) =>
  Object.fromEntries(
    Object.entries(titles).map(([key, title]) => [key, { title, of: (row: MemberRow) => cellOf(key as Key, row) }]),
  )
