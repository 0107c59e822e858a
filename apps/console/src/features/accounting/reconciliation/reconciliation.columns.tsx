import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { breakKind, breakStatus, reconPair, runStatus } from '@wattdeck/contract/accounting/recon-codes.ts'
import { breakColumns, type ReconBreak, type ReconRun } from '@wattdeck/contract/accounting/reconciliation.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Tag } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { decidedColumns } from '../../../kit/list/decided-columns.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { objectOfNumber } from '../../../kit/objects/object-types.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { alikeOwners, ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'

type Row = ReconBreak
const column = titledColumns<Row>()(breakColumns)

const statusOf = (row: Row) => (
  <>
    <StatusTag of={breakStatus} value={row.status} />
    {row.repairWaits && <Tag>待审批</Tag>}
  </>
)

export const breakTableColumns = (user: UserInfo | undefined): Column<Row>[] =>
  decidedColumns(
    allBreakColumns(user),
    [
      ['breakNo', 'day'],
      ['status', 'kind'],
      ['ours', 'theirs'],
      ['subject', 'pair'],
      ['words'],
      ['ownerName', 'merchantName'],
      ['organiseName', 'foundAt'],
    ],
    alikeOwners(user),
  )

const allBreakColumns = (user: UserInfo | undefined): Column<Row>[] => [
  column('breakNo', 140, (row) => <CopyId value={row.breakNo} what="差异编号" />, { fixed: 'start' }),
  column('status', 130, statusOf, { card: 'tag' }),
  column('day', 110, (row) => row.day),
  column('kind', 120, (row) => cells.status(breakKind, row.kind)),
  column('ours', 110, (row) => cells.money(row.ours), { align: 'end' }),
  column('theirs', 110, (row) => cells.money(row.theirs), { align: 'end' }),
  column('subject', 220, (row) => <CopyId value={row.subject} what="单号" object={objectOfNumber(row.subject)} />),
  column('pair', 140, (row) => cells.label(reconPair, row.pair)),
  column('words', 260, (row) => cells.text(row.words)),
  column('ownerName', 100, (row) => (
    <ObjectLink kind="staff" id={row.ownerId}>
      {cells.text(row.ownerName)}
    </ObjectLink>
  )),
  column('merchantName', 150, (row) => cells.text(row.merchantName)),
  column('foundAt', 180, (row) => cells.time(row.foundAt)),
  column('closedAt', 180, (row) => cells.time(row.closedAt)),
  column('closedBy', 100, (row) => cells.text(row.closedBy)),
  column('why', 200, (row) => cells.text(row.why)),
  ...ownerColumns(user, ['organise']),
]

const seconds = (ms: number | null) => (ms === null ? cells.dash : `${(ms / 1000).toFixed(1)} 秒`)
const differs = (row: ReconRun) =>
  row.openBreaks === 0 ? cells.count(row.breaks) : <strong>{`${row.breaks}（待处理 ${row.openBreaks}）`}</strong>

export const runTableColumns = (user: UserInfo | undefined): Column<ReconRun>[] =>
  decidedColumns(
    allRunColumns(user),
    [
      ['day', 'finishedAt'],
      ['status', 'problem'],
      ['merchantName', 'provider'],
      ['breaks'],
      ['ownAmount', 'ownCount'],
      ['otherAmount', 'otherCount'],
      ['organiseName'],
    ],
    alikeOwners(user),
  )

const allRunColumns = (user: UserInfo | undefined): Column<ReconRun>[] => [
  { key: 'day', title: '账期', width: 110, render: (row) => row.day, fixed: 'start' },
  { key: 'status', title: '结果', width: 110, render: (row) => cells.status(runStatus, row.status), card: 'tag' },
  { key: 'merchantName', title: '核对对象', width: 180, render: (row) => row.merchantName ?? '订单、账务与设备' },
  { key: 'breaks', title: '差异', width: 140, align: 'end', render: differs },
  {
    key: 'provider',
    title: '支付方式',
    width: 100,
    render: (row) => (row.provider === null ? cells.dash : cells.label(payProvider, row.provider)),
  },
  { key: 'ownCount', title: '平台笔数', width: 100, align: 'end', render: (row) => cells.count(row.ownCount) },
  { key: 'ownAmount', title: '平台金额', width: 130, align: 'end', render: (row) => cells.money(row.ownAmount) },
  { key: 'otherCount', title: '对方笔数', width: 100, align: 'end', render: (row) => cells.count(row.otherCount) },
  { key: 'otherAmount', title: '对照金额', width: 130, align: 'end', render: (row) => cells.money(row.otherAmount) },
  { key: 'finishedAt', title: '完成时间', width: 180, render: (row) => cells.time(row.finishedAt) },
  { key: 'tookMs', title: '用时', width: 90, align: 'end', render: (row) => seconds(row.tookMs) },
  { key: 'problem', title: '说明', width: 220, render: (row) => cells.text(row.problem) },
  ...ownerColumns(user, ['organise']),
]
