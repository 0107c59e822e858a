import { commandStatus, deviceOperation, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import { operation } from '@wattdeck/device-protocol/operation.ts'
import type { Protocol } from '@wattdeck/device-protocol/protocol-table.ts'
import { portCommandS } from '../_shared/port-command.ts'

const defaultWaitHours = 1

type Operation = (typeof deviceOperation.code)[keyof typeof deviceOperation.code]
export const commandOf = (code: Operation): { kind: 'restart' | 'stop' | 'restore' | 'query' } => {
  if (code === deviceOperation.code.restart) return { kind: 'restart' }
  if (code === deviceOperation.code.stop) return { kind: 'stop' }
  return { kind: code === deviceOperation.code.restore ? 'restore' : 'query' }
}

const protocols: Record<string, Protocol> = { dny: 'dny', 'mqtt-json': 'mqttJson', ocpp16: 'ocpp16', ykc: 'ykc' }

/** Where a protocol cannot stop a device, no command is needed: the platform starts no charge on it. */
export function platformDoesIt(adapter: string, { kind }: DeviceCommand): boolean {
  if (kind !== 'stop' && kind !== 'restore') return false
  const protocol = protocols[adapter]
  return protocol === undefined || operation.rows[kind][protocol] === undefined
}

/** A restart with an unknown outcome is not repeated in a batch. Commands that are idempotent may be. */
export const mayRunTwice = ({ kind }: DeviceCommand, last: number | undefined): boolean =>
  kind === 'restart' && last === commandStatus.code.timedOut

/** Seconds that a command lives, depending on whether it waits for an offline device. */
export const lifeS = (offline: number, waitHours: number | undefined): number =>
  offline === whenOffline.code.wait ? (waitHours ?? defaultWaitHours) * 3600 : portCommandS
