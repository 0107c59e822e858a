import { describe, expect, it } from 'vitest'
import type { DeviceCommand } from '../src/message.ts'
import {
  answered,
  type ChargePointCall,
  parseChargePointCall,
  confirmed,
  type PlatformCall,
  parsePlatformCall,
} from '../src/ocpp16/calls.ts'
import * as says from '../src/ocpp16/charge-point.ts'
import { callsFor, refusedBy, resultOf } from '../src/ocpp16/down.ts'
import type { StartedEvent } from '../src/ocpp16/events.ts'
import { type OcppCall, readFrame, writeCall, writeError, writeResult } from '../src/ocpp16/frame.ts'
import { readingsOf } from '../src/ocpp16/meter.ts'
import { alarmOf, answerTo, eventOf, type Known } from '../src/ocpp16/up.ts'
import { plugStatus } from '../src/plug-status.ts'
import { value } from './samples.ts'

/** Frames from the standard and from charge points, with the expected events. */
const now = new Date('2026-11-15T08:00:00Z')
const at = Date.parse('2026-11-15T08:00:00Z') / 1000
function callIn(frame: string): OcppCall {
  const read = readFrame(frame)
  if (!read.ok || read.value.kind !== 'call') throw new Error(`no call: ${frame}`)
  return read.value
}
function chargePointCall(frame: string): ChargePointCall {
  const read = parseChargePointCall(callIn(frame))
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const event = (action: string, payload: object, context: Partial<Known> = {}) =>
  eventOf(chargePointCall(writeCall('1', action, payload)), { portCount: 2, ...context })

const charge: StartedEvent = {
  kind: 'started',
  port: 1,
  transactionId: 77,
  meterWh: 1000,
  orderNo: '20261115084200000077',
  deviceTimeS: at - 600,
}

describe('call of a charge point', () => {
  it('maps BootNotification to a registration, and answers the time and heartbeat interval', () => {
    const boot = chargePointCall(
      '[2,"19223201","BootNotification",{"chargePointVendor":"VendorX","chargePointModel":"SingleSocket","firmwareVersion":"1.2\\u0000","iccid":"898604E81023C0963731"}]',
    )
    expect(eventOf(boot, { portCount: 2 })).toEqual({
      kind: 'register',
      firmware: '1.2',
      portCount: 2,
      model: 'VendorX SingleSocket',
      iccid: '898604E81023C0963731',
    })
    const answer = answerTo(boot, 'good', 0, now)
    expect(answer).toEqual({ status: 'Accepted', currentTime: '2026-11-15T08:00:00.000Z', interval: 300 })
    expect(answered('BootNotification', answer).ok).toBe(true)
  })

  it('maps StatusNotification to the port status, and an error to an alarm', () => {
    const fault = chargePointCall(
      '[2,"1","StatusNotification",{"connectorId":2,"errorCode":"GroundFailure","status":"Faulted","info":"RCD","timestamp":"2026-11-15T08:00:00Z"}]',
    )
    const status = { name: 'fault', raw: 'Faulted' }
    expect(eventOf(fault, { portCount: 2 })).toEqual({
      kind: 'portStatus',
      port: 2,
      status,
      info: 'GroundFailure RCD',
      deviceTimeS: at,
    })
    if (fault.action !== 'StatusNotification') throw new Error('unexpected call')
    expect(alarmOf(fault.payload)).toMatchObject({ kind: 'alarm', port: 2, alarm: { name: 'leakage' } })
    expect(alarmOf({ ...fault.payload, errorCode: 'NoError' })).toBeUndefined()
    expect(event('StatusNotification', { connectorId: 0, errorCode: 'NoError', status: 'Available' })).toMatchObject({
      kind: 'portStatus',
      port: undefined,
    })
  })

  it.each([
    ['Available', 'free'],
    ['Preparing', 'connected'],
    ['Charging', 'working'],
    ['SuspendedEV', 'working'],
    ['SuspendedEVSE', 'working'],
    ['Finishing', 'connected'],
    ['Reserved', 'appointed'],
    ['Unavailable', 'fault'],
    ['Faulted', 'fault'],
  ])('maps the port status %s to %s', (word, name) => expect(plugStatus.read('ocpp16', word).name).toBe(name))

  it('maps Heartbeat to a heartbeat', () => {
    expect(event('Heartbeat', {})).toEqual({ kind: 'heartbeat', ports: [] })
  })

  it('maps Authorize to a swipe, except for an order of the platform', () => {
    expect(event('Authorize', { idTag: '04A2B3C4' })).toEqual({ kind: 'swipe', card: '04a2b3c4' })
    expect(event('Authorize', { idTag: 'fleet-7' })).toEqual({ kind: 'swipe', card: 'fleet-7' })
    const ordered = { kind: 'startPort', port: 1, orderNo: charge.orderNo, limit: { by: 'full' } } as const
    expect(event('Authorize', { idTag: charge.orderNo }, { ordered })).toMatchObject({ kind: 'remark' })
    const call = chargePointCall('[2,"1","Authorize",{"idTag":"04A2B3C4"}]')
    expect(answerTo(call, 'notRegistered', 0, now)).toEqual({ idTagInfo: { status: 'Invalid' } })
    expect(answerTo(call, 'good', 0, now)).toEqual({ idTagInfo: { status: 'Accepted' } })
    expect(answerTo(call, 'tooLittleMoney', 0, now)).toEqual({ idTagInfo: { status: 'Invalid' } })
  })

  const start = { connectorId: 1, idTag: charge.orderNo, meterStart: 1000, timestamp: '2026-11-15T07:50:00Z' }
  it('keeps the data of StartTransaction that StopTransaction lacks', () => {
    const limit = { by: 'energy', energyWh: 5000 } as const
    const ordered = { kind: 'startPort', port: 1, orderNo: charge.orderNo, limit } as const
    expect(event('StartTransaction', start, { transactionId: 77, ordered })).toEqual({ ...charge, limit })
    expect(event('StartTransaction', { ...start, idTag: '04A2B3C4' }, { transactionId: 78 })).toEqual({
      ...charge,
      transactionId: 78,
      orderNo: 'T78',
      card: '04a2b3c4',
    })
    expect(event('StartTransaction', start, { transactionId: 77, charge })).toBe(charge)
  })

  it('maps StopTransaction to a settlement from the meter readings', () => {
    const stop = { transactionId: 77, meterStop: 3500, timestamp: '2026-11-15T08:00:00Z', reason: 'EVDisconnected' }
    expect(event('StopTransaction', stop, { charge, peakDw: 31_000 })).toMatchObject({
      kind: 'settlement',
      port: 1,
      orderNo: charge.orderNo,
      durationS: 600,
      energyWh: 2500,
      maxPowerDw: 31_000,
      stopReason: { name: 'unplugged', raw: 'EVDisconnected' },
    })
    const { reason: _local, ...short } = stop
    expect(event('StopTransaction', short, { charge })).toMatchObject({ stopReason: { name: 'localStop' } })
    // A falling meter and an adjusted clock yield zero.
    expect(event('StopTransaction', { ...stop, meterStop: 1 }, { charge })).toMatchObject({
      energyWh: 0,
      meterStartDwh: charge.meterWh * 10,
      meterEndDwh: 10,
    })
    expect(event('StopTransaction', stop, { charge })).not.toHaveProperty('meterStartDwh')
    expect(event('StopTransaction', { ...stop, timestamp: '1970-01-01T00:00:09Z' }, { charge })).toMatchObject({
      durationS: 0,
      maxPowerDw: undefined,
    })
    expect(event('StopTransaction', stop)).toMatchObject({ kind: 'strayStop', transactionId: 77, meterWh: 3500 })
  })

  it('maps MeterValues to a port report', () => {
    const meterValue = [
      {
        timestamp: '2026-11-15T08:00:00Z',
        sampledValue: [
          { value: '3.5', unit: 'kWh' },
          { value: '6900', measurand: 'Power.Active.Import', unit: 'W' },
          { value: '30.1', measurand: 'Current.Import', unit: 'A', phase: 'L1' },
          { value: '229.6', measurand: 'Voltage', unit: 'V', phase: 'L1-N' },
          { value: '311.15', measurand: 'Temperature', unit: 'K' },
          { value: 'Zm9v', format: 'SignedData' },
        ],
      },
    ]
    expect(event('MeterValues', { connectorId: 1, transactionId: 77, meterValue }, { charge })).toEqual({
      kind: 'portReport',
      port: 1,
      status: { name: 'working', raw: 'Charging' },
      energyWh: 2500,
      durationS: 600,
      orderNo: charge.orderNo,
      powerDw: 69_000,
      currentMa: 30_100,
      voltageDv: 2296,
      temperatureC: 38,
      deviceTimeS: at,
    })
    expect(event('MeterValues', { connectorId: 1, meterValue })).toMatchObject({ kind: 'remark' })
  })

  it('sums the power of three phases but not the voltage, and omits implausible values', () => {
    const phases = (['L1', 'L2', 'L3'] as const).flatMap((phase) => [
      { value: '2.3', measurand: 'Power.Active.Import' as const, unit: 'kW' as const, phase },
      { value: '230', measurand: 'Voltage' as const, phase },
    ])
    expect(readingsOf([{ timestamp: now.toISOString(), sampledValue: phases }])).toMatchObject({
      powerDw: 69_000,
      voltageDv: 2300,
      registerWh: undefined,
    })
    const wild = ['NaN', '', '1e999', '-5', '0x10', '99999999999'].map((text) => ({ value: text }))
    for (const sample of wild)
      expect(readingsOf([{ timestamp: now.toISOString(), sampledValue: [sample] }]).registerWh ?? 'none').toBe('none')
  })

  it('maps other calls to remarks, and rejects vendor data transfers', () => {
    expect(event('FirmwareStatusNotification', { status: 'Installed' })).toEqual({
      kind: 'remark',
      about: 'FirmwareStatusNotification',
      text: 'Installed',
    })
    expect(event('DiagnosticsStatusNotification', { status: 'Idle' })).toMatchObject({ text: 'Idle' })
    expect(
      event('SecurityEventNotification', { type: 'TamperDetectionActivated', timestamp: now.toISOString() }),
    ).toMatchObject({ text: 'TamperDetectionActivated' })
    const vendor = chargePointCall('[2,"1","DataTransfer",{"vendorId":"com.maker"}]')
    expect(eventOf(vendor, { portCount: 1 })).toMatchObject({ kind: 'remark', text: 'com.maker' })
    expect(answerTo(vendor, 'good', 0, now)).toEqual({ status: 'UnknownVendorId' })
  })
})

describe('call of the platform', () => {
  const frames = (command: DeviceCommand, transactionId?: number) => {
    const calls = callsFor(command, transactionId)
    return calls.ok ? calls.value.map(({ action, payload }) => writeCall('1', action, payload)) : calls.reason
  }
  const limit = { by: 'full' } as const
  const orderNo = charge.orderNo
  it.each<[DeviceCommand, string[] | string]>([
    [{ kind: 'restart' }, ['[2,"1","Reset",{"type":"Soft"}]']],
    [{ kind: 'restart', force: true }, ['[2,"1","Reset",{"type":"Hard"}]']],
    [{ kind: 'stop' }, ['[2,"1","ChangeAvailability",{"connectorId":0,"type":"Inoperative"}]']],
    [{ kind: 'restore' }, ['[2,"1","ChangeAvailability",{"connectorId":0,"type":"Operative"}]']],
    [
      { kind: 'startPort', port: 2, orderNo, limit },
      [`[2,"1","RemoteStartTransaction",{"connectorId":2,"idTag":"${orderNo}"}]`],
    ],
    [{ kind: 'startPort', port: 'auto', orderNo, limit }, [`[2,"1","RemoteStartTransaction",{"idTag":"${orderNo}"}]`]],
    [{ kind: 'startPort', port: 1, orderNo: `${orderNo}1`, limit }, 'the order number does not fit'],
    [{ kind: 'stopPort', port: 2, orderNo }, ['[2,"1","RemoteStopTransaction",{"transactionId":77}]']],
    [{ kind: 'changePort', port: 2, limit: { by: 'energy', energyWh: 1 } }, 'OCPP has no call to changePort'],
    [{ kind: 'setClock', atS: 1 }, 'a charge point takes the time from its heartbeats'],
    [
      { kind: 'query' },
      [
        '[2,"1","TriggerMessage",{"requestedMessage":"BootNotification"}]',
        '[2,"1","TriggerMessage",{"requestedMessage":"StatusNotification"}]',
      ],
    ],
    [
      { kind: 'readAttributes', identifiers: ['heartbeatInterval'] },
      ['[2,"1","GetConfiguration",{"key":["HeartbeatInterval"]}]'],
    ],
    [
      { kind: 'writeAttributes', values: { heartbeatInterval: 60, localPreAuthorize: 0 } },
      [
        '[2,"1","ChangeConfiguration",{"key":"HeartbeatInterval","value":"60"}]',
        '[2,"1","ChangeConfiguration",{"key":"LocalPreAuthorize","value":"false"}]',
      ],
    ],
  ])('%j', (command, expected) => {
    const writtenFrames = frames(command, 77)
    expect(writtenFrames).toEqual(expected)
    // The written frame passes the charge point's validation.
    if (typeof writtenFrames !== 'string')
      for (const frame of writtenFrames) expect(parsePlatformCall(callIn(frame)).ok).toBe(true)
  })

  it('refuses to stop an unknown charge', () => {
    expect(frames({ kind: 'stopPort', port: 1, orderNo })).toBe('the charge is not known')
  })

  const platformCall = (action: string, payload: object): PlatformCall => {
    const read = parsePlatformCall(callIn(writeCall('1', action, payload)))
    if (!read.ok) throw new Error(read.reason)
    return read.value
  }
  it('is accepted, refused, or effective after a reboot', () => {
    const reset = platformCall('Reset', { type: 'Soft' })
    expect(resultOf(reset, { status: 'Accepted' })).toEqual({ ok: true, carriedOut: true })
    expect(resultOf(reset, { status: 'Rejected' })).toMatchObject({ ok: false, refusal: { raw: 'Rejected' } })
    expect(resultOf(reset, { status: 'Perhaps' })).toMatchObject({ ok: false, refusal: { name: 'badValue' } })
    const available = platformCall('ChangeAvailability', { connectorId: 0, type: 'Inoperative' })
    expect(resultOf(available, { status: 'Scheduled' }).ok).toBe(true)
    const write = platformCall('ChangeConfiguration', { key: 'HeartbeatInterval', value: '60' })
    expect(resultOf(write, { status: 'RebootRequired' })).toMatchObject({ ok: true, restartNeeded: true })
    expect(resultOf(write, { status: 'NotSupported' })).toMatchObject({ refusal: { name: 'unsupported' } })
    expect(refusedBy('NotImplemented')).toMatchObject({ ok: false, refusal: { name: 'unsupported' } })
    const read = platformCall('GetConfiguration', { key: ['HeartbeatInterval'] })
    const configurationKey = [
      { key: 'HeartbeatInterval', readonly: false, value: '60' },
      { key: 'LocalPreAuthorize', readonly: true, value: 'true' },
      { key: 'MeterValuesSampledData', readonly: false, value: 'Voltage' },
    ]
    expect(resultOf(read, { configurationKey }).attributes).toEqual({ heartbeatInterval: 60, localPreAuthorize: 1 })
  })

  it('covers local lists and reservations', () => {
    const expiryDate = '2026-11-15T09:00:00Z'
    const list = {
      listVersion: 3,
      updateType: 'Full',
      localAuthorizationList: [{ idTag: 'AB', idTagInfo: { status: 'Accepted' } }],
    }
    for (const [action, payload] of [
      ['SendLocalList', list],
      ['GetLocalListVersion', {}],
      ['ReserveNow', { connectorId: 1, expiryDate, idTag: 'AB', reservationId: 7 }],
      ['CancelReservation', { reservationId: 7 }],
      ['UnlockConnector', { connectorId: 1 }],
      ['ClearCache', {}],
    ] as const)
      expect(platformCall(action, payload)).toEqual({ action, payload })
    expect(confirmed('SendLocalList', { status: 'VersionMismatch' }).ok).toBe(true)
    expect(confirmed('GetLocalListVersion', { listVersion: -1 }).ok).toBe(true)
    expect(confirmed('ReserveNow', { status: 'Occupied' }).ok).toBe(true)
    expect(confirmed('CancelReservation', { status: 'Accepted' }).ok).toBe(true)
    expect(resultOf(platformCall('UnlockConnector', { connectorId: 1 }), { status: 'Unlocked' }).ok).toBe(true)
    expect(
      resultOf(platformCall('ReserveNow', { connectorId: 1, expiryDate, idTag: 'A', reservationId: 7 }), {
        status: 'Faulted',
      }),
    ).toMatchObject({
      refusal: { name: 'portFault' },
    })
  })

  it('decodes to the same command in the simulator', () => {
    const decodedBack = (command: DeviceCommand) =>
      value(callsFor(command, 77)).map((call) => {
        const read = says.commandOf(call, () => ({ port: 1, orderNo }))
        return read?.ok === true ? read.value : undefined
      })
    for (const command of [
      { kind: 'restart' },
      { kind: 'stop' },
      { kind: 'restore' },
      { kind: 'stopPort', port: 1, orderNo },
      { kind: 'startPort', port: 1, orderNo, limit },
      { kind: 'readAttributes', identifiers: ['heartbeatInterval'] },
      { kind: 'writeAttributes', values: { heartbeatInterval: 60 } },
    ] satisfies DeviceCommand[])
      expect(decodedBack(command)).toEqual([command])
    expect(says.commandOf(platformCall('ClearCache', {}), () => undefined)).toBeUndefined()
    const reading = platformCall('GetConfiguration', { key: ['HeartbeatInterval', 'Nothing'] })
    const confirmation = says.confirmationFor(reading, { ok: true, attributes: { heartbeatInterval: 60 } })
    expect(confirmation).toEqual({
      configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }],
      unknownKey: ['Nothing'],
    })
  })
})

describe('OCPP frames', () => {
  it('decode to the encoded value', () => {
    expect(readFrame(writeResult('1', { a: 1 }))).toEqual({
      ok: true,
      value: { kind: 'result', id: '1', payload: { a: 1 } },
    })
    expect(readFrame(writeError('1', 'NotSupported', 'x'))).toEqual({
      ok: true,
      value: { kind: 'error', id: '1', code: 'NotSupported', description: 'x' },
    })
  })
})
