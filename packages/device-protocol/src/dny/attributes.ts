import { Cursor } from '../bytes.ts'
import type { AttributeValues } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import { dnyCommand } from './commands.ts'

/** Parameters in a device's memory. A group is read and written as a whole, in this order. */
export type DnyAttribute = {
  identifier: string
  label: string
  unit: '' | 's' | 'W' | '0.1W' | '0.1V' | '%' | '℃'
  /** Range for writes. A device may report values outside it. */
  min: number
  max: number
  bytes: 1 | 2 | 6
  /** Factory default, where the vendor documents it. */
  initial?: number
  /** Missing in older firmware; optional at the end of a group. */
  late?: true
  /** Hidden without the right to see keys. */
  secret?: true
}

type Range = { min?: number; max?: number; initial?: number; late?: true; secret?: true }
const sized =
  (bytes: 1 | 2 | 6) =>
  (identifier: string, label: string, unit: DnyAttribute['unit'], range: Range = {}): DnyAttribute => ({
    identifier,
    label,
    unit,
    bytes,
    min: 0,
    max: 256 ** bytes - 1,
    ...range,
  })
const byte = sized(1)
const word = sized(2)
const key = sized(6)

export type DnyAttributeGroup = { write: number; read: number; attributes: readonly DnyAttribute[] }

export const dnyAttributeGroups: readonly DnyAttributeGroup[] = [
  {
    write: dnyCommand.writeCharging,
    read: dnyCommand.readCharging,
    attributes: [
      word('unplugPower', '拔出功率', '0.1W', { initial: 3 }),
      word('unplugTime', '拔出功率识别时间', 's', { initial: 10 }),
      byte('floatPercent', '浮充百分比', '%', { min: 1, max: 100, initial: 20 }),
      word('floatDetectTime', '浮充状态识别时间', 's', { initial: 1800 }),
      word('floatTime', '浮充时间', 's', { initial: 3600 }),
      word('heartbeatInterval', '心跳包上报间隔', 's', { min: 30, max: 3600, initial: 180 }),
    ],
  },
  {
    write: dnyCommand.writeProtection,
    read: dnyCommand.readProtection,
    attributes: [
      word('dynamicOverload', '动态过载功率', 'W', { initial: 800 }),
      word('dynamicOverloadTime', '动态过载识别时间', 's', { initial: 30 }),
      word('dynamicOverloadFrom', '动态过载开始时间', 's', { initial: 1800 }),
      byte('noisePower', '拔出干扰功率', '0.1W', { initial: 10 }),
      word('noiseTime', '拔出干扰功率判断时间', 's', { initial: 300 }),
      word('secondFloatFrom', '浮充第二次识别时间点', 's', { initial: 10_800 }),
      word('secondFloatTime', '浮充状态第二次识别时间', 's', { initial: 300 }),
      word('minPower', '最小功率', '0.1W', { initial: 300 }),
      word('minPowerFrom', '最小功率判断时间点', 's', { initial: 1800 }),
      word('earlyPowerUntil', '第二最大功率时间点', 's', { initial: 300 }),
      byte('ambientAlarm', '环境报警温度', '℃', { max: 120, initial: 80 }),
      byte('portAlarm', '端口报警温度', '℃', { max: 120, initial: 80 }),
      byte('unplugCheckOff', '关闭用户拔出判断', '', { max: 1, initial: 0 }),
      byte('codeLightOff', '关闭二维码灯', '', { max: 1, initial: 1, late: true }),
    ],
  },
  {
    write: dnyCommand.writeLimits,
    read: dnyCommand.readLimits,
    attributes: [
      word('maxDuration', '最大充电时间', 's', { min: 60, initial: 36_000 }),
      word('overloadPower', '过载功率', '0.1W', { min: 1, max: 35_000 }),
      word('overVoltage', '过压值', '0.1V', { min: 2200, max: 3000, initial: 2700, late: true }),
      word('underVoltage', '欠压值', '0.1V', { min: 500, max: 2200, initial: 1000, late: true }),
    ],
  },
  {
    write: dnyCommand.writeCards,
    read: dnyCommand.readCards,
    attributes: [
      byte('cardSector', '用户卡扇区', '', { max: 15, initial: 0 }),
      key('cardKey', '用户卡密码', '', { secret: true }),
      key('newCardKey', '新卡密码', '', { secret: true }),
    ],
  },
]

/** Numbers are little endian; a key is six bytes in reading order. */
function bytesOf(value: number, { bytes }: DnyAttribute): number[] {
  const low = Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256)
  return bytes === 6 ? low.toReversed() : low
}

function valueOf(bytes: number[]): number {
  const low = bytes.length === 6 ? bytes.toReversed() : bytes
  return low.reduce((sum, part, at) => sum + part * 256 ** at, 0)
}

export function readGroup(group: DnyAttributeGroup, data: Uint8Array): Outcome<AttributeValues> {
  const from = new Cursor(data)
  const values: Record<string, number> = {}
  for (const attribute of group.attributes) {
    if (from.left === 0 && attribute.late === true) break
    values[attribute.identifier] = valueOf(from.take(attribute.bytes))
    if (from.short) return refused(`the data ends in ${attribute.identifier}`)
  }
  return done(values)
}

/** With `ranges: false` only the byte size is checked, as for values that a device reports. */
export function writeGroup(group: DnyAttributeGroup, values: AttributeValues, ranges = true): Outcome<number[]> {
  const last = group.attributes.findLastIndex(({ identifier }) => values[identifier] !== undefined)
  const bytes: number[] = []
  for (const [at, attribute] of group.attributes.entries()) {
    if (attribute.late === true && at > last) break
    const value = values[attribute.identifier]
    // A group is written as a whole, so missing values would be overwritten; the caller reads them first.
    if (value === undefined)
      return refused(`${attribute.identifier} is written together with the others and is missing`)
    const { min, max } = ranges ? attribute : { min: 0, max: 256 ** attribute.bytes - 1 }
    if (!Number.isInteger(value) || value < min || value > max)
      return refused(`${attribute.identifier} lies outside ${min} to ${max}`)
    bytes.push(...bytesOf(value, attribute))
  }
  return done(bytes)
}

/** The groups that contain any of these attributes; undefined when an identifier is unknown. */
export function groupsOf(identifiers: readonly string[]): DnyAttributeGroup[] | undefined {
  const requested = new Set(identifiers)
  const groups = dnyAttributeGroups.filter(({ attributes }) =>
    attributes.some(({ identifier }) => requested.has(identifier)),
  )
  const covered = new Set(groups.flatMap(({ attributes }) => attributes.map(({ identifier }) => identifier)))
  return identifiers.every((identifier) => covered.has(identifier)) ? groups : undefined
}

/** The other attributes of the affected groups, which the caller must read before a write. */
export function missingBeside(values: AttributeValues): string[] {
  const groups = groupsOf(Object.keys(values)) ?? []
  return groups.flatMap(({ attributes }) =>
    attributes
      .filter(({ identifier, late }) => late !== true && !(identifier in values))
      .map(({ identifier }) => identifier),
  )
}
