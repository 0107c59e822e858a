import * as cells from '../display/cells.tsx'
import type { Column } from './columns.ts'

type Audited = { createdBy: string | null; createdAt: string; updatedAt: string }

/** Creator and times of a row; hidden by default. */
export const auditColumns: Column<Audited>[] = [
  { key: 'createdBy', title: '创建人', width: 110, hidden: true, render: (row) => cells.text(row.createdBy) },
  { key: 'createdAt', title: '创建时间', width: 180, hidden: true, render: (row) => cells.time(row.createdAt) },
  { key: 'updatedAt', title: '更新时间', width: 180, hidden: true, render: (row) => cells.time(row.updatedAt) },
]
