import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  type InstructionSet,
  instructionSet,
  instructionSetColumns,
} from '@wattdeck/contract/product/instruction-set.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listSets } from './instruction-set.store.ts'

const cellOf: Record<keyof typeof instructionSetColumns, (row: InstructionSet) => Cell> = {
  code: (row) => row.code,
  name: (row) => row.name,
  version: (row) => row.version,
  protocolName: (row) => row.protocolName,
  typeNames: (row) => row.typeNames.join('、'),
  instructionCount: (row) => row.instructionCount,
  status: (row) => enabledStatus.show(row.status).label,
  remark: (row) => row.remark,
  createdBy: (row) => row.createdBy,
  createdAt: (row) => row.createdAt,
  updatedAt: (row) => row.updatedAt,
}

export const instructionSetExport = listExport({
  list: 'instructionSet',
  title: '指令集列表',
  module: '指令集',
  route: instructionSet.list,
  read: (db, _scope, query) => listSets(db, query),
  columns: Object.fromEntries(
    Object.entries(instructionSetColumns).map(([key, title]) => [
      key,
      { title, of: cellOf[key as keyof typeof instructionSetColumns] },
    ]),
  ),
})
