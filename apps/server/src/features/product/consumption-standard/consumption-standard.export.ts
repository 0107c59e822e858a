import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  billingType,
  type ConsumptionStandard,
  consumptionStandard,
  standardColumns,
} from '@wattdeck/contract/product/consumption-standard.ts'
import { listExport, titledColumns } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listTariffs } from './consumption-standard.store.ts'

type Key = keyof typeof standardColumns
type Worded = 'billingType' | 'fullStop' | 'refundUnused' | 'deviceTypeNames' | 'next' | 'status'
const yesNo = (is: boolean) => (is ? '是' : '否')

/** Columns that the file shows in another form than the row. */
const worded: Record<Worded, (row: ConsumptionStandard) => Cell> = {
  billingType: (row) => billingType.show(row.billingType).label,
  fullStop: (row) => yesNo(row.fullStop),
  refundUnused: (row) => yesNo(row.refundUnused),
  deviceTypeNames: (row) => (row.deviceTypeNames.length === 0 ? '全部' : row.deviceTypeNames.join('、')),
  next: (row) => (row.nextNo === null ? null : `第${row.nextNo}版，${row.nextAt}`),
  status: (row) => enabledStatus.show(row.status).label,
}
const cellOf = (key: Key, row: ConsumptionStandard): Cell =>
  key in worded ? worded[key as Worded](row) : row[key as Exclude<Key, Worded>]

export const standardExport = listExport({
  list: 'consumptionStandard',
  title: '消费标准',
  module: '消费标准',
  route: consumptionStandard.list,
  read: listTariffs,
  columns: titledColumns(standardColumns, cellOf),
})
