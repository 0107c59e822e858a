import fc from 'fast-check'
import { decodeDown as dnyDown, encodeCommand as dnyCommand } from '../src/dny/down.ts'
import { makeFrame } from '../src/dny/frame.ts'
import { frames, maxPendingBytes, newStream } from '../src/dny/stream.ts'
import { decodeUp as dnyUp, encodeUp as dnyEncode } from '../src/dny/up.ts'
import { decodeDown, encodeAnswer, encodeCommand } from '../src/mqtt-json/down.ts'
import { decodeUp, encodeUp } from '../src/mqtt-json/up.ts'
import {
  type ChargePointCall,
  parseChargePointCall,
  type PlatformCall,
  parsePlatformCall,
} from '../src/ocpp16/calls.ts'
import { fromChargePoint } from '../src/ocpp16/charge-point-calls.ts'
import { resultOf } from '../src/ocpp16/down.ts'
import { readFrame, writeCall, writeResult } from '../src/ocpp16/frame.ts'
import { fromPlatform } from '../src/ocpp16/platform-calls.ts'
import { alarmOf, answerTo, eventOf } from '../src/ocpp16/up.ts'
import { payload as ocppPayload } from './ocpp-samples.ts'
import { decodeDown as ykcDown } from '../src/ykc/down-read.ts'
import { encodeCommand as ykcCommand } from '../src/ykc/down.ts'
import * as ykc from '../src/ykc/frame.ts'
import * as ykcStream from '../src/ykc/stream.ts'
import { decodeUp as ykcUp } from '../src/ykc/up.ts'
import { encodeUp as ykcEncode } from '../src/ykc/up-written.ts'
import { dnyCommandSent, dnyEvent, mqttAnswer, mqttCommand, mqttEvent, value } from './samples.ts'
import { pileNo, ykcCommandSent, ykcEvent } from './ykc-samples.ts'

/** Frames as from faulty connections and hostile senders. The same seed gives the same frames. */
type Tally = { read: number; refused: number; skippedBytes: number }
export type Fuzz = { make(count: number, seed: number): Uint8Array[]; read(made: readonly Uint8Array[]): Tally }

/** mulberry32, a small and fast generator. Returns integers below `below`. */
function dice(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
type Dice = ReturnType<typeof dice>

const samples = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, { numRuns: 300, seed: 1 })
const pick = <T>(from: readonly T[], roll: Dice): T => from[roll(from.length)] as T
const randomBytes = (length: number, roll: Dice) => Uint8Array.from({ length }, () => roll(256))

/** Truncates, flips, duplicates or overwrites bytes at random. */
function mutated(bytes: Uint8Array, roll: Dice): Uint8Array {
  const copy = Uint8Array.from(bytes)
  for (let flips = roll(4); flips >= 0; flips--) copy[roll(copy.length)] = roll(256)
  const cut = roll(copy.length + 1)
  switch (roll(4)) {
    case 0:
      return copy.subarray(0, cut)
    case 1:
      return Uint8Array.of(...copy.subarray(0, cut), ...randomBytes(roll(8), roll), ...copy.subarray(cut))
    case 2:
      return Uint8Array.of(...copy, ...copy.subarray(cut))
    default:
      return copy
  }
}

const address = { physicalId: 0x04ceaa40, messageId: 1 }
const goodFrames = [
  ...samples(dnyEvent).map((event) => value(dnyEncode(address, event))),
  ...samples(dnyCommandSent).flatMap((command) => value(dnyCommand(address, command))),
]
const commands = [...new Set(goodFrames.map(({ command }) => command))]

/** A third of the frames has a valid checksum and arbitrary data, so that the field decoders see invalid input too. */
function dnyFrame(roll: Dice): Uint8Array {
  const kind = roll(6)
  if (kind === 0) return randomBytes(roll(300), roll)
  if (kind === 1) return pick(goodFrames, roll).bytes
  if (kind < 4) return mutated(pick(goodFrames, roll).bytes, roll)
  const command = roll(8) === 0 ? roll(256) : pick(commands, roll)
  const randomAddress = { physicalId: roll(2 ** 32), messageId: roll(65_536) }
  return value(makeFrame(randomAddress, command, [...randomBytes(roll(roll(4) === 0 ? 243 : 60), roll)])).bytes
}

export const fuzzDny: Fuzz = {
  make(count, seed) {
    const roll = dice(seed)
    return Array.from({ length: count }, () => dnyFrame(roll))
  },
  read(made) {
    const tally: Tally = { read: 0, refused: 0, skippedBytes: 0 }
    const stream = newStream()
    for (const [at, bytes] of made.entries()) {
      const cut = at % (bytes.length + 1)
      for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)])
        for (const item of frames(stream, chunk)) {
          if (item.kind !== 'frame') continue
          const [up, down] = [dnyUp(item.frame), dnyDown(item.frame)]
          tally[up.ok || down.ok ? 'read' : 'refused']++
        }
      if (stream.pending.length > maxPendingBytes) throw new Error(`${stream.pending.length} bytes are still pending`)
    }
    return { ...tally, skippedBytes: stream.skippedBytes }
  },
}

const goodYkc = [
  ...samples(ykcEvent).map((event) => value(ykcEncode(pileNo, 1, event))),
  ...samples(ykcCommandSent).flatMap((command) => value(ykcCommand({ pileNo, portCount: 2, seq: 1 }, command))),
]
const ykcTypes = [...new Set(goodYkc.map(({ type }) => type))]

function ykcFrame(roll: Dice): Uint8Array {
  const kind = roll(6)
  if (kind === 0) return randomBytes(roll(300), roll)
  if (kind === 1) return pick(goodYkc, roll).bytes
  if (kind < 4) return mutated(pick(goodYkc, roll).bytes, roll)
  const type = roll(8) === 0 ? roll(256) : pick(ykcTypes, roll)
  return value(ykc.makeFrame(roll(65_536), type, [...randomBytes(roll(roll(2) === 0 ? 197 : 60), roll)])).bytes
}

export const fuzzYkc: Fuzz = {
  make(count, seed) {
    const roll = dice(seed)
    return Array.from({ length: count }, () => ykcFrame(roll))
  },
  read(made) {
    const tally: Tally = { read: 0, refused: 0, skippedBytes: 0 }
    const stream = ykcStream.newStream()
    for (const [at, bytes] of made.entries()) {
      const cut = at % (bytes.length + 1)
      for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)])
        for (const frame of ykcStream.frames(stream, chunk)) {
          const [up, down] = [ykcUp(frame), ykcDown(frame)]
          tally[up.ok || down.ok ? 'read' : 'refused']++
        }
      if (stream.pending.length > ykcStream.maxPendingBytes)
        throw new Error(`${stream.pending.length} bytes are still pending`)
    }
    return { ...tally, skippedBytes: stream.skippedBytes }
  },
}

const utf8 = new TextEncoder()
const goodMessages = [
  ...samples(mqttEvent).map((event) => value(encodeUp(event))),
  ...samples(mqttCommand).map((sent) => value(encodeCommand(sent))),
  ...samples(mqttAnswer).map((answer) => value(encodeAnswer(answer))),
]
const oddValues = [null, true, -1, 0.5, 1e308, 2 ** 53, '', 'x', '9'.repeat(50), [], [[]], {}, { length: 3 }, [1, null]]

function mqttMessage(roll: Dice): Uint8Array {
  return jsonMessage(goodMessages, (json) => JSON.parse(json) as Record<string, unknown>, roll)
}

/** In a third of the messages one field is replaced. `parse` extracts the object, `wrap` puts it back. */
function jsonMessage(
  good: readonly string[],
  parse: (json: string) => Record<string, unknown>,
  roll: Dice,
  wrap: (message: Record<string, unknown>, json: string) => unknown = (message) => message,
): Uint8Array {
  const kind = roll(6)
  if (kind === 0) return randomBytes(roll(300), roll)
  const json = pick(good, roll)
  if (kind === 1) return utf8.encode(json)
  if (kind < 4) return mutated(utf8.encode(json), roll)
  const message = parse(json)
  const keys = Object.keys(message)
  const odd = roll(8) === 0 || keys.length === 0
  const key = odd ? pick(['__proto__', 'toString', 'ack', 'new'], roll) : pick(keys, roll)
  if (roll(4) === 0) Reflect.deleteProperty(message, key)
  else message[key] = pick(oddValues, roll)
  return utf8.encode(JSON.stringify(wrap(message, json)))
}

export const fuzzMqttJson: Fuzz = {
  make(count, seed) {
    const roll = dice(seed)
    return Array.from({ length: count }, () => mqttMessage(roll))
  },
  read(made) {
    const tally: Tally = { read: 0, refused: 0, skippedBytes: 0 }
    for (const payload of made) {
      const [up, down] = [decodeUp(payload), decodeDown(payload)]
      tally[up.ok || down.ok ? 'read' : 'refused']++
    }
    return tally
  },
}

const ocppSamples = (actions: string[], side: 'req' | 'conf') =>
  actions.flatMap((action) =>
    fc.sample(ocppPayload(action, side), { numRuns: 30, seed: 1 }).map((payload) => ({ action, payload })),
  )
const goodOcpp = [
  ...ocppSamples([...Object.keys(fromChargePoint), ...Object.keys(fromPlatform)], 'req').map(({ action, payload }) =>
    writeCall('19223201', action, payload),
  ),
  ...ocppSamples(Object.keys(fromPlatform), 'conf').map(({ payload }) => writeResult('19223201', payload)),
]
/** Results are decoded as answers to this call. */
const question: PlatformCall = { action: 'GetConfiguration', payload: {} }
const someCharge = { kind: 'started', port: 1, transactionId: 1, meterWh: 5, orderNo: '1', deviceTimeS: 9 } as const

function understand(call: ChargePointCall): void {
  eventOf(call, { portCount: 2 })
  eventOf(call, { portCount: 2, charge: someCharge })
  answerTo(call, 'good', 1, new Date())
  if (call.action === 'StatusNotification') alarmOf(call.payload)
}

export const fuzzOcpp: Fuzz = {
  make(count, seed) {
    const roll = dice(seed)
    const last = (json: string) => (JSON.parse(json) as unknown[]).at(-1) as Record<string, unknown>
    const whole = (message: object, json: string) => [...(JSON.parse(json) as unknown[]).slice(0, -1), message]
    return Array.from({ length: count }, () => jsonMessage(goodOcpp, last, roll, whole))
  },
  read(made) {
    const tally: Tally = { read: 0, refused: 0, skippedBytes: 0 }
    for (const bytes of made) {
      const frame = readFrame(bytes)
      if (!frame.ok) tally.refused++
      else if (frame.value.kind === 'call') {
        const [up, down] = [parseChargePointCall(frame.value), parsePlatformCall(frame.value)]
        if (up.ok) understand(up.value)
        tally[up.ok || down.ok ? 'read' : 'refused']++
      } else {
        if (frame.value.kind === 'result') resultOf(question, frame.value.payload)
        tally.read++
      }
    }
    return tally
  },
}
