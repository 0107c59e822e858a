import {
  authWay,
  type Credential,
  credentialColumns,
  credentialKind,
  credentialState,
  deviceAuth,
} from '@wattdeck/contract/product/device-auth.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listCredentials } from './device-auth.store.ts'

const cellOf: Record<keyof typeof credentialColumns, (row: Credential) => Cell> = {
  deviceNo: (row) => row.deviceNo,
  imei: (row) => row.imei,
  keyText: (row) => row.fingerprint ?? row.keyText,
  kind: (row) => credentialKind.show(row.kind).label,
  way: (row) => authWay.show(row.way).label,
  typeName: (row) => row.typeName,
  batchNo: (row) => row.batchNo,
  state: (row) => credentialState.show(row.state).label,
  validUntil: (row) => row.validUntil,
  firstSeenAt: (row) => row.firstSeenAt,
  lastSeenAt: (row) => row.lastSeenAt,
  address: (row) => row.address,
  organiseName: (row) => row.organiseName,
  agentName: (row) => row.agentName,
  siteName: (row) => row.siteName,
  createdBy: (row) => row.createdBy,
  createdAt: (row) => row.createdAt,
  revokedBy: (row) => row.revokedBy,
  revokedAt: (row) => row.revokedAt,
  revokeReason: (row) => row.revokeReason,
}

export const credentialExport = listExport({
  list: 'deviceAuth',
  title: '设备认证',
  module: '设备认证',
  route: deviceAuth.list,
  read: listCredentials,
  columns: Object.fromEntries(
    Object.entries(credentialColumns).map(([key, title]) => [
      key,
      { title, of: cellOf[key as keyof typeof credentialColumns] },
    ]),
  ),
})
