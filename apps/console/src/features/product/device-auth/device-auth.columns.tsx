import { type Credential, credentialState } from '@wattdeck/contract/product/device-auth.ts'
import { Tooltip } from 'antd'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

const keyText = ({ keyText: text, fingerprint }: Credential) =>
  fingerprint === null ? text : <Tooltip title={`SHA-256 ${fingerprint}`}>{text}</Tooltip>

/** An expired credential is invalid regardless of its state. */
const stateOf = ({ state, ended }: Credential) =>
  ended && state !== credentialState.code.revoked ? <Tag tone="off">已过期</Tag> : cells.status(credentialState, state)

export const credentialColumns: ColumnChanges<Credential> = {
  state: { render: stateOf },
  keyText: { render: keyText },
  lastSeenAt: { render: (row) => cells.ago(row.lastSeenAt) },
}
