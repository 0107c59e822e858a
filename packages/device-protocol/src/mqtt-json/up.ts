import { alarmKind } from '../alarm-kind.ts'
import type { DeviceEvent, DeviceOrder, EventKind } from '../message.ts'
import { refused, type Outcome, type Refused } from '../outcome.ts'
import { refusal } from '../refusal.ts'
import { stopReason } from '../stop-reason.ts'
import { coded, field, flag, int, list, numbers, optional, readMessage, shape, text, writeMessage } from './json.ts'
import type { JsonObject } from './json.ts'
import * as is from './values.ts'

/** Messages from a device: decoded by the gateway, encoded by the simulator. */

const sim = {
  iccid: optional('iccid', text(/^[0-9A-Za-z]{19,20}$/)),
  imei: optional('imei', text(/^\d{15}$/)),
  csq: optional('csq', is.csq),
}

/** The fields of each kind, whether it is acknowledged, and whether the device keeps it until then. */
export const upKinds = {
  register: {
    k: 'reg',
    acknowledged: true,
    kept: true,
    shape: shape({
      firmware: field('fw', is.word),
      portCount: field('ports', is.port),
      model: optional('model', is.word),
      powerBoardFirmware: optional('pbfw', is.word),
      ...sim,
    }),
  },
  heartbeat: {
    k: 'hb',
    acknowledged: true,
    kept: false,
    shape: shape({
      ports: field('p', list(is.status, 1, is.maxPorts)),
      voltageDv: optional('vol', is.voltageDv),
      temperatureC: optional('temp', is.temperatureC),
      csq: optional('csq', is.csq),
    }),
  },
  portReport: {
    k: 'port',
    acknowledged: false,
    kept: false,
    shape: shape({
      port: field('port', is.port),
      status: field('st', is.status),
      powerDw: field('pw', is.powerDw),
      energyWh: field('wh', is.energyWh),
      durationS: field('s', is.durationS),
      orderNo: optional('order', is.orderNo),
      start: optional('by', is.start),
      voltageDv: optional('vol', is.voltageDv),
      currentMa: optional('ma', int(0, 1_000_000)),
      temperatureC: optional('temp', is.temperatureC),
      portTemperatureC: optional('ptemp', is.temperatureC),
    }),
  },
  swipe: {
    k: 'swipe',
    acknowledged: true,
    kept: true,
    shape: shape({ card: field('card', is.card), port: optional('port', is.port) }),
  },
  offlineStart: {
    k: 'off',
    acknowledged: true,
    kept: true,
    shape: shape({
      port: field('port', is.port),
      orderNo: field('order', is.orderNo),
      card: optional('card', is.card),
    }),
  },
  settlement: {
    k: 'settle',
    acknowledged: true,
    kept: true,
    shape: shape({
      port: field('port', is.port),
      orderNo: field('order', is.orderNo),
      durationS: field('s', is.durationS),
      energyWh: field('wh', is.energyWh),
      maxPowerDw: field('pmax', is.powerDw),
      stopReason: field(
        'why',
        coded((raw) => stopReason.read('mqttJson', raw)),
      ),
      start: optional('by', is.start),
      card: optional('card', is.card),
    }),
  },
  alarm: {
    k: 'alarm',
    acknowledged: true,
    kept: true,
    shape: shape({
      alarm: field(
        'al',
        coded((raw) => alarmKind.read('mqttJson', raw)),
      ),
      port: optional('port', is.port),
    }),
  },
  commandResult: {
    k: 'result',
    acknowledged: true,
    kept: true,
    shape: shape({
      commandId: field('id', is.commandId),
      ok: field('ok', flag),
      refusal: optional(
        'why',
        coded((raw) => refusal.read('mqttJson', raw)),
      ),
      port: optional('port', is.port),
      orderNo: optional('order', is.orderNo),
      waitingPorts: optional('wait', list(is.port, 1, is.maxPorts)),
      attributes: optional('attr', numbers(is.identifier, is.maxAttributes)),
    }),
  },
  clockAsked: { k: 'clock', acknowledged: false, kept: false, shape: shape({}) },
  here: { k: 'here', acknowledged: false, kept: false, shape: shape({}) },
  gone: { k: 'gone', acknowledged: false, kept: false, shape: shape({}) },
} as const
export type UpKind = keyof typeof upKinds

const byLetter = new Map(Object.entries(upKinds).map(([kind, row]) => [row.k as string, { kind, row }]))
const isUpKind = (kind: EventKind): kind is UpKind => Object.hasOwn(upKinds, kind)

const envelope = shape({
  ...is.version,
  letter: field('k', text(/^[a-z]{1,16}$/)),
  bootId: field('boot', is.bootId),
  seq: field('seq', is.count),
  deviceTimeS: optional('t', is.timeS),
})

/** Carries the record's order when that was readable: the record is then acknowledged as bad and not resent. */
export type UpRefused = Refused & { order?: DeviceOrder }
export type UpEvent = Extract<DeviceEvent, { kind: UpKind }> & { order: DeviceOrder }
export type UpOutcome = { ok: true; value: UpEvent } | UpRefused

export function decodeUp(payload: Uint8Array | string): UpOutcome {
  const message = readMessage(payload)
  if (!message.ok) return message
  const head = envelope.read(message.value)
  if (!head.ok) return head
  const { letter, bootId, seq, deviceTimeS } = head.value
  const order = { bootId, seq }
  const match = byLetter.get(letter)
  if (match === undefined) return { ...refused(`kind ${letter} is not known`), order }
  const body = match.row.shape.read(message.value)
  if (!body.ok) return { ...body, order }
  const event = { kind: match.kind, order, deviceTimeS, ...body.value }
  // In this protocol a refusal always means that nothing was executed.
  return { ok: true, value: ('ok' in event ? { ...event, carriedOut: event.ok } : event) as UpEvent }
}

const writers = upKinds as {
  readonly [K in UpKind]: { k: string; shape: { write(event: never): Outcome<JsonObject> } }
}

/** A resent record keeps its order. */
export function encodeUp(event: DeviceEvent): Outcome<string> {
  if (!isUpKind(event.kind)) return refused(`there is no message for ${event.kind}`)
  if (event.order === undefined) return refused('boot and seq are missing')
  const { k, shape: fields } = writers[event.kind]
  const head = envelope.write({
    version: is.protocolVersion,
    letter: k,
    ...event.order,
    deviceTimeS: event.deviceTimeS,
  })
  if (!head.ok) return head
  const body = fields.write(event as never)
  return body.ok ? writeMessage({ ...head.value, ...body.value }) : body
}
