import {
  authWay,
  type Credential,
  credentialColumns,
  credentialKind,
  credentialState,
} from '@wattdeck/contract/product/device-auth.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Tooltip } from 'antd'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { detailPath } from '../device-manage/device-manage.columns.tsx'

const column = (
  key: keyof typeof credentialColumns,
  width: number,
  render: Column<Credential>['render'],
  more: Partial<Column<Credential>> = {},
): Column<Credential> => ({ key, title: credentialColumns[key], width, render, ...more })

const hidden = { hidden: true } as const

const keyText = ({ keyText: text, fingerprint }: Credential) =>
  fingerprint === null ? text : <Tooltip title={`SHA-256 ${fingerprint}`}>{text}</Tooltip>

/** What has ended by its time is not good any more, whatever its state says. */
const stateOf = ({ state, ended }: Credential) =>
  ended && state !== credentialState.code.revoked ? <Tag tone="off">已过期</Tag> : cells.status(credentialState, state)

export const credentialTableColumns = (user: UserInfo | undefined): Column<Credential>[] => [
  column('deviceNo', 130, (row) => <Link to={detailPath(row.deviceId)}>{row.deviceNo}</Link>, { fixed: 'start' }),
  column('state', 90, stateOf, { card: 'tag' }),
  column('kind', 90, (row) => cells.status(credentialKind, row.kind)),
  column('way', 90, (row) => cells.label(authWay, row.way)),
  column('keyText', 150, keyText),
  column('typeName', 150, (row) => row.typeName),
  column('imei', 160, (row) => cells.text(row.imei)),
  column('batchNo', 150, (row) => row.batchNo),
  column('validUntil', 180, (row) => cells.time(row.validUntil)),
  column('firstSeenAt', 180, (row) => cells.time(row.firstSeenAt)),
  column('lastSeenAt', 110, (row) => cells.ago(row.lastSeenAt)),
  column('address', 160, (row) => cells.text(row.address)),
  ...ownerColumns(user),
  column('createdBy', 110, (row) => row.createdBy, hidden),
  column('createdAt', 180, (row) => cells.time(row.createdAt), hidden),
  column('revokedBy', 110, (row) => cells.text(row.revokedBy), hidden),
  column('revokedAt', 180, (row) => cells.time(row.revokedAt), hidden),
  column('revokeReason', 180, (row) => cells.text(row.revokeReason), hidden),
]
