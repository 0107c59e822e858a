import { enabledStatus } from '@wattdeck/contract/common.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind, alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { billingType, consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { onlineStatus, plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type DeviceDetail, deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { repairPriority, repairStatus, repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import * as cells from '../../display/cells.tsx'
import { factSource } from './fact-source.ts'

const { free, working, fault } = plugStatus.code
const count = ({ ports }: DeviceDetail, status: number) => ports.filter((port) => port.status === status).length
const onlineOf = ({ online }: DeviceDetail) =>
  cells.status(onlineStatus, online ? onlineStatus.code.online : onlineStatus.code.offline)
const portOf = ({ deviceNo, portNo }: { deviceNo: string; portNo: number | null }) =>
  portNo === null ? deviceNo : `${deviceNo} / ${portNo} 号端口`

/** A port keeps its last readings when it is free again, so the card shows them only while it works. */
const measured = (value: number | null, size: number, unit: string) =>
  value === null ? cells.dash : `${Math.round((value / size) * 100) / 100} ${unit}`

export const productFacts = {
  device: factSource(
    deviceDetail.read,
    (id) => ({ params: { id } }),
    (device) => ({
      title: device.name,
      facts: [
        ['编号', device.deviceNo],
        ['在线', onlineOf(device)],
        ['端口', `空闲 ${count(device, free)} · 使用中 ${count(device, working)} · 故障 ${count(device, fault)}`],
        ['型号', device.typeName],
        ['站点', cells.text(device.siteName)],
        ['消费标准', cells.text(device.tariffName)],
      ],
    }),
  ),
  port: factSource(
    deviceDetail.read,
    (id) => ({ params: { id: id.split('/')[0] ?? '' } }),
    (device, id) => {
      const port = device.ports.find(({ portNo }) => String(portNo) === id.split('/')[1])
      if (port === undefined) return undefined
      const works = port.status === working
      return {
        title: `${device.name} ${port.portNo} 号端口`,
        facts: [
          ['状态', cells.status(plugStatus, port.status as never)],
          ['在线', onlineOf(device)],
          ...(works
            ? ([
                ['功率', measured(port.powerDw, 10, 'W')],
                ['电量', measured(port.energyWh, 1000, 'kWh')],
                ['时长', measured(port.minutes, 1, '分钟')],
              ] as const)
            : []),
          ['自', cells.time(port.statusSince)],
        ],
      }
    },
  ),
  tariff: factSource(
    consumptionStandard.read,
    (id) => ({ params: { id } }),
    ({ name, billingType: type, status, inForce, scheduled, draft }) => ({
      title: name,
      facts: [
        ['计费类型', cells.label(billingType, type)],
        ['状态', cells.status(enabledStatus, status)],
        ['生效版本', inForce === null ? '未发布' : `第 ${inForce.no} 版`],
        ['待生效', scheduled === null ? cells.dash : `第 ${scheduled.no} 版，${scheduled.effectiveAt.slice(0, 16)}`],
        ['草稿', draft === null ? cells.dash : `第 ${draft.no} 版`],
      ],
    }),
  ),
  ticket: factSource(
    repairTicket.read,
    (id) => ({ params: { id } }),
    (ticket) => ({
      title: ticket.ticketNo,
      facts: [
        ['状态', cells.status(repairStatus, ticket.status)],
        ['优先级', cells.status(repairPriority, ticket.priority)],
        ['设备', portOf(ticket)],
        ['故障类型', cells.label(alarmKind, ticket.fault)],
        ['维修人', cells.text(ticket.assigneeName)],
        ['报修时间', cells.time(ticket.createdAt)],
      ],
    }),
  ),
  alarm: factSource(
    alarmCenter.list,
    (id) => ({ query: { alarmId: id, pageSize: 1 } }),
    ({ rows: [alarm] }) =>
      alarm && {
        title: cells.label(alarmKind, alarm.kind),
        facts: [
          ['级别', cells.status(alarmSeverity, alarm.severity)],
          ['状态', cells.status(alarmStatus, alarm.status)],
          ['设备', portOf(alarm)],
          ['首次发生', cells.time(alarm.firstAt)],
          ['最近发生', cells.time(alarm.lastAt)],
          ['次数', cells.count(alarm.count)],
        ],
      },
  ),
}
