import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  deviceServiceStatus,
  installStatus,
  lineStatus,
  onlineStatus,
  plugStatus,
} from '@wattdeck/contract/product/device-codes.ts'
import { type Device, deviceColumns, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listDevices } from './device-manage.store.ts'

/** '空闲 3，故障 1' */
const portsText = ({ ports }: Device) =>
  plugStatus.options
    .map(({ value, label }) => ({ label, count: ports.filter((port) => port.status === value).length }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${count}`)
    .join('，')

const cellOf: Record<keyof typeof deviceColumns, (row: Device) => Cell> = {
  deviceNo: (row) => row.deviceNo,
  name: (row) => row.name,
  online: (row) => onlineStatus.show(row.online ? 1 : 0).label,
  ports: portsText,
  portCount: (row) => row.portCount,
  csq: (row) => row.csq,
  lastSeenAt: (row) => row.lastSeenAt,
  categoryName: (row) => row.categoryName,
  smallCategoryName: (row) => row.smallCategoryName,
  typeName: (row) => row.typeName,
  organiseName: (row) => row.organiseName,
  agentName: (row) => row.agentName,
  siteName: (row) => row.siteName,
  tariffName: (row) => row.tariffName,
  imei: (row) => row.imei,
  iccid: (row) => row.iccid,
  softwareVersion: (row) => row.softwareVersion,
  hardwareVersion: (row) => row.hardwareVersion,
  protocolName: (row) => row.protocolName,
  installStatus: (row) => installStatus.show(row.installStatus).label,
  lineStatus: (row) => lineStatus.show(row.lineStatus).label,
  installedBy: (row) => row.installedBy,
  installedAt: (row) => row.installedAt,
  serviceUntil: (row) => row.serviceUntil,
  serviceStatus: (row) => deviceServiceStatus.show(row.serviceStatus).label,
  location: (row) => (row.lng === null || row.lat === null ? null : `${row.lng},${row.lat}`),
  status: (row) => enabledStatus.show(row.status).label,
  remark: (row) => row.remark,
  createdBy: (row) => row.createdBy,
  createdAt: (row) => row.createdAt,
  updatedAt: (row) => row.updatedAt,
}

export const deviceExport = listExport({
  list: 'device',
  title: '设备列表',
  module: '设备管理',
  route: deviceManage.list,
  read: listDevices,
  columns: Object.fromEntries(
    Object.entries(deviceColumns).map(([key, title]) => [
      key,
      { title, of: cellOf[key as keyof typeof deviceColumns] },
    ]),
  ),
})
