import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDown, encodeAnswer, encodeCommand, type MqttCommand } from '../src/mqtt-json/down.ts'
import { judge } from '../src/mqtt-json/judge.ts'
import { mqttTiming, resendAfterMs } from '../src/mqtt-json/timing.ts'
import { allUpTopics, downTopic, isDeviceNo, parseTopic, upTopic } from '../src/mqtt-json/topics.ts'
import { decodeUp, encodeUp } from '../src/mqtt-json/up.ts'
import { mqttAnswer, mqttCommand, mqttEvent, value } from './samples.ts'

const head = { v: 1, boot: 3, seq: 9 }
const up = (fields: object) => decodeUp(JSON.stringify({ ...head, ...fields }))
const order = { bootId: 3, seq: 9 }
const ascii = (text: string) => new TextEncoder().encode(text)

describe('MQTT events', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(mqttEvent, (event) => {
        const json = value(encodeUp(event))
        expect(value(decodeUp(json))).toEqual(event)
        expect(decodeUp(ascii(json))).toEqual(decodeUp(json))
      }),
      { numRuns: 500 },
    )
  })

  it('may contain fields of newer firmware', () => {
    expect(up({ k: 'clock', new: [{ deep: [1] }] })).toMatchObject({ ok: true })
    const own = '{"v":1,"k":"clock","boot":3,"seq":9,"__proto__":{"t":1}}'
    expect(decodeUp(own)).toEqual({ ok: true, value: { kind: 'clockAsked', order } })
  })

  it('keep codes that no table contains', () => {
    expect(up({ k: 'hb', p: [1, 99] })).toMatchObject({
      value: { ports: [{ name: 'free' }, { name: 'unknown', raw: 99 }] },
    })
  })

  it.each([
    [{ k: 'hb', p: [] }, 'p is not valid'],
    [{ k: 'hb', p: Array.from({ length: 25 }, () => 1) }, 'p is not valid'],
    [{ k: 'hb', p: { length: 1, 0: 1 } }, 'p is not valid'],
    [{ k: 'hb', p: [1.5] }, 'p is not valid'],
    [{ k: 'hb', p: ['1'] }, 'p is not valid'],
    [{ k: 'hb' }, 'p is missing'],
    [{ k: 'hb', p: [1], csq: null }, 'csq is not valid'],
    [{ k: 'port', port: 0, st: 1, pw: 0, wh: 0, s: 0 }, 'port is not valid'],
    [{ k: 'port', port: 25, st: 1, pw: 0, wh: 0, s: 0 }, 'port is not valid'],
    [{ k: 'port', port: 1, st: 1, pw: -1, wh: 0, s: 0 }, 'pw is not valid'],
    [{ k: 'swipe', card: 'DD058D7A' }, 'card is not valid'],
    [{ k: 'swipe', card: 'dd058d7a\n' }, 'card is not valid'],
    [{ k: 'settle', port: 1, s: 1, wh: 1, pmax: 1, why: 1 }, 'order is missing'],
    [{ k: 'result', id: 'a', ok: 1 }, 'ok is not valid'],
    [{ k: 'result', id: 'a', ok: true, attr: { 'a b': 1 } }, 'attr is not valid'],
    [{ k: 'result', id: 'a', ok: true, attr: [1] }, 'attr is not valid'],
    [{ k: 'constructor' }, 'kind constructor is not known'],
  ])('%j is refused with its order: %s', (fields, reason) => expect(up(fields)).toEqual({ ok: false, reason, order }))

  it.each([
    ['', 'not JSON in UTF-8'],
    ['{', 'not JSON in UTF-8'],
    ['null', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['7', 'not a JSON object'],
    ['{"v":2,"k":"clock","boot":1,"seq":1}', 'v is not valid'],
    ['{"v":1,"k":"clock","boot":0,"seq":1}', 'boot is not valid'],
    ['{"v":1,"k":"clock","boot":4194304,"seq":1}', 'boot is not valid'],
    ['{"v":1,"k":"clock","boot":1,"seq":4294967296}', 'seq is not valid'],
    ['{"v":1,"k":"clock","boot":1,"seq":1e400}', 'seq is not valid'],
    ['{"v":1,"k":"clock","boot":1}', 'seq is missing'],
    [`{"v":1,"a":${'['.repeat(500)}${']'.repeat(500)}}`, 'deeper than 4'],
    [`{"v":1,"a":"${'x'.repeat(4100)}"}`, 'more than 4096 bytes'],
  ])('%s is refused: %s', (json, reason) => expect(decodeUp(json)).toEqual({ ok: false, reason }))

  it('ignore brackets inside strings when they count depth', () => {
    expect(up({ k: 'clock', note: '[[[[[[{{{{\\"[[[[[' })).toMatchObject({ ok: true })
  })

  it('are refused in another encoding than UTF-8', () => {
    expect(decodeUp(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({ ok: false, reason: 'not JSON in UTF-8' })
  })

  it.each([
    ['without a place', { kind: 'clockAsked' as const }],
    ['that belong to DNY', { kind: 'link' as const, order }],
    ['with a value outside its range', { kind: 'swipe' as const, order, card: 'x' }],
  ])('%s cannot be encoded', (_, event) => expect(encodeUp(event)).toMatchObject({ ok: false }))
})

describe('MQTT commands', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(mqttCommand, (sent) => {
        expect(value(decodeDown(value(encodeCommand(sent))))).toEqual({ kind: 'command', sent })
      }),
      { numRuns: 500 },
    )
  })

  const sent: MqttCommand = { id: 'a', counter: 5, issuedAtS: 100, expiresAtS: 160, command: { kind: 'restart' } }

  it.each([
    [{ ...sent, expiresAtS: 100 }],
    [{ ...sent, expiresAtS: 100 + 86_401 }],
    [{ ...sent, counter: 0 }],
    [{ ...sent, id: '' }],
    [{ ...sent, command: { kind: 'startPort' as const, port: 0, orderNo: '1', limit: { by: 'full' as const } } }],
    [{ ...sent, command: { kind: 'stopPort' as const, port: 25, orderNo: '1' } }],
    [{ ...sent, command: { kind: 'readAttributes' as const, identifiers: [] } }],
  ])('%j cannot be encoded', (wrong) => expect(encodeCommand(wrong)).toMatchObject({ ok: false }))

  it.each([
    ['{"v":1,"k":"restart","id":"a","n":1,"at":9,"exp":9}', 'exp is not valid'],
    ['{"v":1,"k":"start","id":"a","n":1,"at":1,"exp":9,"port":1,"order":"1","s":1,"wh":1}', 'the limit is not valid'],
    ['{"v":1,"k":"limit","id":"a","n":1,"at":1,"exp":9,"port":1}', 'the limit is not valid'],
    ['{"v":1,"k":"burn","id":"a","n":1,"at":1,"exp":9}', 'kind burn is not known'],
    ['{"v":1,"ack":null}', 'ack is not valid'],
    ['{"v":1,"ack":{"boot":1}}', 'seq is missing'],
    ['{"k":"restart"}', 'v is missing'],
  ])('%s is refused: %s', (json, reason) => expect(decodeDown(json)).toEqual({ ok: false, reason }))

  it('are executed once, in order and before their expiry', () => {
    const last = { counter: 4, id: 'z' }
    expect(judge(sent, last, 159)).toBe('run')
    expect(judge(sent, last, 160)).toBe('expired')
    expect(judge(sent, last, undefined)).toBe('expired')
    expect(judge(sent, { counter: 5, id: 'a' }, 159)).toBe('again')
    expect(judge(sent, { counter: 5, id: 'b' }, 159)).toBe('oldCounter')
    expect(judge(sent, { counter: 6, id: 'a' }, 159)).toBe('oldCounter')
    const clock: MqttCommand = { ...sent, command: { kind: 'setClock', atS: 500 } }
    expect(judge(clock, last, undefined)).toBe('run')
    expect(judge(clock, { counter: 5, id: 'b' }, undefined)).toBe('oldCounter')
  })
})

describe('MQTT answers', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(mqttAnswer, (answer) => {
        expect(value(decodeDown(value(encodeAnswer(answer))))).toEqual({ kind: 'answer', answer })
      }),
    )
  })

  it('truncate a long reason', () => {
    const json = value(encodeAnswer({ kind: 'ack', order, bad: 'x'.repeat(100) }))
    expect(JSON.parse(json)).toEqual({ v: 1, ack: { boot: 3, seq: 9, bad: 'x'.repeat(64) } })
  })

  it('require an order, and exclude the time, which is a command', () => {
    expect(encodeAnswer({ kind: 'ack' })).toMatchObject({ ok: false })
    expect(encodeAnswer({ kind: 'setClock', atS: 1 })).toMatchObject({ ok: false })
  })
})

describe('MQTT topics', () => {
  it('contain one device number and one direction', () => {
    expect(parseTopic(upTopic('A-1_b'))).toEqual({ deviceNo: 'A-1_b', direction: 'up' })
    expect(parseTopic(downTopic('7'))).toEqual({ deviceNo: '7', direction: 'down' })
  })
  it.each([
    'd//up',
    'd/+/up',
    'd/a/b/up',
    'd/a/up/',
    'x/a/up',
    'd/a/side',
    'd/a/up\n',
    `d/${'a'.repeat(33)}/up`,
    allUpTopics,
  ])('reject %j', (topic) => expect(parseTopic(topic)).toBeUndefined())
  it('validate device numbers', () => {
    expect(isDeviceNo('WD-0001_x')).toBe(true)
    expect(['', 'a b', 'a/b', '#', '设备'].some(isDeviceNo)).toBe(false)
  })
})

describe('unacknowledged record', () => {
  it('is resent after 30 s, with doubled intervals up to 30 minutes', () => {
    expect([1, 2, 3, 6, 7, 1000].map(resendAfterMs)).toEqual([30_000, 60_000, 120_000, 960_000, 1_800_000, 1_800_000])
    expect(mqttTiming.heartbeatMs * mqttTiming.heartbeatsMissed).toBe(360_000)
  })
})
