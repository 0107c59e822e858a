import type { ConnectionEvent, UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { type AlarmKind, alarmKind, ruleThreshold, shortOrderMaxMin } from '@wattdeck/contract/product/alarm-codes.ts'
import { alarmKind as deviceAlarm, type AlarmName } from '@wattdeck/device-protocol/alarm-kind.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import type { AlarmSignal } from './alarm-signal.store.ts'
import { type Change, messageMs } from '../device-state.ts'

/** Plug statuses of a port that is unusable until it is repaired. */
export const faultPlugs: readonly number[] = [plugStatus.codeOf('fault'), plugStatus.codeOf('washerDown')]
/** One key per device, so that a flapping device has one offline signal at a time. */
const offlineKey = 'offline'

const kindOfWord: Partial<Record<AlarmName, AlarmKind>> = {
  powerLoss: 'powerLoss',
  flooded: 'water',
  glueMelted: 'overTemperature',
  smoke: 'smoke',
  heat: 'overTemperature',
  waterLevel: 'water',
  doorOpen: 'doorOpen',
  leakage: 'leakage',
  emergencyStop: 'emergencyStop',
  overload: 'overload',
}

/** Derives alarm signals from messages. Most messages give none. */
export function signalsOf(changes: readonly Change[], items: readonly UpItem[]): AlarmSignal[] {
  return [...changes.flatMap(happenedTo), ...items.flatMap(signalsOfItem)]
}

function happenedTo({ state: { deviceId }, happenings }: Change): AlarmSignal[] {
  return happenings.flatMap(({ kind, portNo, detail, atMs }): AlarmSignal[] => {
    const { from, to, alarm } = detail as { from?: number; to?: number; alarm?: { name: AlarmName } }
    if (kind === 'offline') return [offline(deviceId, atMs)]
    if (kind === 'online') return [{ deviceId, kind: alarmKind.code.offline, sick: false, atMs }]
    if (kind === 'portStatus' && from !== undefined && to !== undefined) {
      const [was, is] = [faultPlugs.includes(from), faultPlugs.includes(to)]
      return was === is ? [] : [{ deviceId, portNo, kind: alarmKind.code.portFault, sick: is, atMs }]
    }
    if (kind !== 'alarm' || alarm === undefined) return []
    const word = deviceAlarm.labelOf(alarm.name)
    return [
      { deviceId, portNo, kind: alarmKind.code[kindOfWord[alarm.name] ?? 'other'], sick: true, atMs, detail: { word } },
    ]
  })
}

export const offline = (deviceId: string, atMs: number): AlarmSignal => ({
  deviceId,
  kind: alarmKind.code.offline,
  sick: true,
  atMs,
  key: offlineKey,
})

type Contested = Extract<ConnectionEvent, { kind: 'contested' }>
const secondLine = ({ address }: Contested) => `设备在线时，${address ?? '未知地址'} 以同一编号请求连接，已拒绝`

/** A signal that another sender uses the identity of the device, or that the device contradicts itself. */
export const impostor = (deviceId: string, atMs: number, word: string, portNo: number | null = null): AlarmSignal => ({
  deviceId,
  portNo,
  kind: alarmKind.code.impostor,
  sick: true,
  atMs,
  detail: { word },
})

const coolestC = ruleThreshold.overTemperature?.min ?? 0

/** Skips values that no rule can match, because thresholds have limits. */
function signalsOfItem(item: UpItem): AlarmSignal[] {
  const event = item.e as DeviceEvent
  const atMs = messageMs(item.id)
  const deviceId = item.d
  if (item.e.kind === 'contested') return [impostor(deviceId, atMs, secondLine(item.e as Contested))]
  if (event.kind === 'settlement' && event.durationS < shortOrderMaxMin * 60) {
    const { port: portNo, durationS } = event
    // A device sends its record again until it is acknowledged; the key of the record stays the same.
    const key = item.r?.key ?? item.id
    return [{ deviceId, portNo, kind: alarmKind.code.shortOrders, sick: true, atMs, key, detail: { durationS } }]
  }
  const temperatureC = hottest(event)
  if (temperatureC < coolestC) return []
  return [{ deviceId, kind: alarmKind.code.overTemperature, sick: true, atMs, detail: { temperatureC } }]
}

const hottest = (event: DeviceEvent): number => {
  if (event.kind === 'heartbeat') return event.temperatureC ?? -Infinity
  if (event.kind !== 'portReport') return -Infinity
  return Math.max(event.temperatureC ?? -Infinity, event.portTemperatureC ?? -Infinity)
}
