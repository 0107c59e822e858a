import { describe, expect, it } from 'vitest'
import { accountStatus } from '../src/account-status.ts'
import { alarmKind } from '../src/alarm-kind.ts'
import { isBillingEvent } from '../src/message.ts'
import { operation } from '../src/operation.ts'
import { plugStatus } from '../src/plug-status.ts'
import { refusal } from '../src/refusal.ts'
import { startMode } from '../src/start-mode.ts'
import { stopReason } from '../src/stop-reason.ts'

const tables = { plugStatus, stopReason, operation, alarmKind, refusal, startMode, accountStatus }

describe.each(Object.entries(tables))('table %s', (_, table) => {
  const rows = Object.entries(table.rows)

  it('has unique codes with labels', () => {
    const codes = rows.map(([, { code }]) => code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const [, { label }] of rows) expect(label).toMatch(/^[\p{Script=Han}]+$/u)
  })

  it('has an mqttJson value for every code except unknown', () => {
    for (const [name, { mqttJson }] of rows) expect(mqttJson?.length ?? 0, name).toBe(name === 'unknown' ? 0 : 1)
  })

  it.each(['dny', 'mqttJson', 'ocpp16', 'ykc'] as const)('maps each %s value to one name', (protocol) => {
    const values = rows.flatMap(([, row]) => row[protocol] ?? [])
    expect(new Set(values).size).toBe(values.length)
    for (const [name, row] of rows)
      for (const raw of row[protocol] ?? []) expect(table.read(protocol, raw)).toEqual({ name, raw })
  })

  it('decodes unlisted values to unknown and keeps the raw value', () => {
    for (const raw of [-1, 250, Number.NaN, 'x', '__proto__'])
      expect(table.read('dny', raw)).toEqual({ name: 'unknown', raw })
    expect(table.nameOf(9999)).toBe('unknown')
  })
})

describe('plug statuses', () => {
  it('match the specification', () => {
    const listed = Object.values(plugStatus.rows).map(({ code, label }) => `${code} ${label}`)
    expect(listed.slice(1)).toEqual([
      '1 空闲',
      '2 工作中',
      '3 故障',
      '4 已预约',
      '5 已连接',
      '6 洗衣机告警',
      '7 洗衣机停机',
    ])
  })

  it('cover the port codes of DNY', () => {
    const names = Array.from({ length: 18 }, (_, raw) => plugStatus.read('dny', raw).name)
    expect(names.slice(0, 6)).toEqual(['free', 'working', 'connected', 'connected', 'fault', 'working'])
    expect(new Set(names.slice(6, 17))).toEqual(new Set(['fault']))
    expect(names[17]).toBe('unknown')
    expect(plugStatus.say('dny', 'working')).toEqual({ name: 'working', raw: 1 })
  })

  it('convert to codes and labels and back', () => {
    expect(plugStatus.codeOf('connected')).toBe(5)
    expect(plugStatus.labelOf('connected')).toBe('已连接')
    expect(plugStatus.nameOf(5)).toBe('connected')
  })
})

describe('operations', () => {
  it('match the specification', () => {
    expect(['restart', 'stop', 'restore'].map((name) => operation.rows[name as 'stop'].code)).toEqual([1, 2, 3])
  })
})

describe('isBillingEvent', () => {
  it('lists the events that a bill depends on', () => {
    const kinds = Object.entries(isBillingEvent).filter(([, rests]) => rests)
    expect(kinds.map(([kind]) => kind).toSorted()).toEqual([
      'offlineStart',
      'settlement',
      'started',
      'strayStop',
      'swipe',
    ])
  })
})
