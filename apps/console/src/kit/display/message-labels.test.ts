import { expect, it } from 'vitest'
import { contentText, eventText, kindText } from './message-labels.ts'

const reading = (name: string, raw = 0) => ({ name, raw })

it('a port report is readable text, with the most important fields first', () => {
  const content = {
    kind: 'portReport',
    energyWh: 1250,
    durationS: 754,
    powerDw: 2205,
    port: 2,
    status: reading('working', 1),
    temperatureC: 36,
    currentMa: 1020,
  }
  expect(contentText(content)).toBe(
    '端口 2，状态 工作中，功率 220.5 W，电流 1.02 A，电量 1.25 kWh，时长 12 分 34 秒，温度 36 ℃',
  )
})

it('a heartbeat lists its ports, a settlement its reason, an alarm its name', () => {
  expect(contentText({ ports: [reading('free'), reading('fault', 6)], csq: 21 })).toBe(
    '端口状态 1:空闲，2:故障，信号(CSQ) 21',
  )
  expect(contentText({ stopReason: reading('full', 1) })).toBe('停止原因 充满自停')
  expect(contentText({ alarm: reading('smoke', 4) })).toBe('报警 烟感报警')
})

it('a bill of a car charger lists each price, and an empty port list is left out', () => {
  const share = { priceYuanE5: 110_000, energyDwh: 12_345, lossDwh: 12_345, amountYuanE4: 13_580 }
  expect(contentText({ kind: 'settlement', byPrice: [share], startedAtS: 1_763_225_984, socPercent: 80 })).toBe(
    '开始时间 2025-11-16 00:59:44，SOC 80 %，分时 尖:单价 1.1 元，精确电量 1.2345 kWh，计损电量 1.2345 kWh，金额 1.358 元',
  )
  expect(contentText({ ports: [], port: 1, faults: [reading('emergencyStop', 1)] })).toBe('端口 1，硬件故障 急停')
})

it('a field or value without a label is shown as it is', () => {
  expect(contentText({ strange: 'x', alarm: reading('comet') })).toBe('报警 comet，strange x')
  expect([kindText('heartbeat'), kindText('startPort')]).toEqual(['心跳', 'startPort'])
})

it('an event names the previous and the current status of a port', () => {
  expect(eventText({ from: 1, to: 2 })).toBe('空闲 → 工作中')
  expect(eventText({ alarm: reading('smoke') })).toBe('报警 烟感报警')
  expect(eventText({})).toBe('')
})
