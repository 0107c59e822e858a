import fc from 'fast-check'
import { createValidator } from 'ocpp-rpc'
import schemas from 'ocpp-rpc/lib/schemas/ocpp1_6.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { parseChargePointCall } from '../src/ocpp16/calls.ts'
import { fromChargePoint } from '../src/ocpp16/charge-point-calls.ts'
import { readFrame } from '../src/ocpp16/frame.ts'
import { fromPlatform } from '../src/ocpp16/platform-calls.ts'
import { nearly, payload } from './ocpp-samples.ts'

/** Our validation agrees with an independent validator of the published schemas. */
const standard = createValidator('ocpp1.6', schemas)
function standardTakes(id: string, input: unknown): boolean {
  try {
    return standard.validate(id, input) === true
  } catch {
    return false
  }
}

const rows = { ...fromPlatform, ...fromChargePoint }
const all = Object.entries(rows).flatMap(([action, row]) =>
  (['req', 'conf'] as const).map((side) => [action, side, row[side]] as const),
)

describe('payload of every action', () => {
  it('is accepted when it is valid', () => {
    for (const [action, side, schema] of all) {
      fc.assert(
        fc.property(payload(action, side), (input) => {
          expect(schema.check(input, ''), `${action}.${side}`).toBeUndefined()
        }),
      )
    }
  })
  it('is validated as in the standard', () => {
    for (const [action, side, schema] of all) {
      const id = `urn:${action}.${side}`
      fc.assert(
        fc.property(nearly(action, side), (input) => {
          expect(schema.check(input, '') === undefined, id).toBe(standardTakes(id, input))
        }),
        { numRuns: 300 },
      )
    }
  })
})

describe('error code of each violation', () => {
  const start = { connectorId: 1, idTag: 'AB12', meterStart: 5, timestamp: '2026-11-15T08:00:00Z' }
  const errorOf = (action: string, input: object) => {
    const checkedCall = parseChargePointCall({ kind: 'call', id: '1', action, payload: input })
    return checkedCall.ok ? 'none' : `${checkedCall.code} ${checkedCall.reason}`
  }
  it.each([
    ['none', 'StartTransaction', start],
    ['NotImplemented action Fly is not known', 'Fly', {}],
    ['NotImplemented action x is not known', '__proto__ !', {}],
    ['NotImplemented action toString is not known', 'toString', {}],
    ['NotSupported action Reset is not supported', 'Reset', { type: 'Soft' }],
    ['NotSupported action SignCertificate is not supported', 'SignCertificate', {}],
    ['FormationViolation extra is not valid', 'StartTransaction', { ...start, extra: 1 }],
    ['OccurrenceConstraintViolation idTag is missing', 'StartTransaction', { connectorId: 1 }],
    ['TypeConstraintViolation connectorId is not valid', 'StartTransaction', { ...start, connectorId: '1' }],
    ['TypeConstraintViolation meterStart is not valid', 'StartTransaction', { ...start, meterStart: 1.5 }],
    ['TypeConstraintViolation idTag is not valid', 'StartTransaction', { ...start, idTag: null }],
    ['PropertyConstraintViolation idTag is not valid', 'StartTransaction', { ...start, idTag: 'x'.repeat(21) }],
    ['PropertyConstraintViolation timestamp is not valid', 'StartTransaction', { ...start, timestamp: '15.11.2026' }],
    [
      'PropertyConstraintViolation timestamp is not valid',
      'StartTransaction',
      { ...start, timestamp: '2026-02-30T08:00:00Z' },
    ],
    ['PropertyConstraintViolation meterStart is not valid', 'StartTransaction', { ...start, meterStart: 2 ** 31 }],
    ['PropertyConstraintViolation connectorId is not valid', 'StartTransaction', { ...start, connectorId: 0 }],
    ['PropertyConstraintViolation status is not valid', 'FirmwareStatusNotification', { status: 'Eaten' }],
    [
      'TypeConstraintViolation meterValue[0].sampledValue[0].value is not valid',
      'MeterValues',
      { connectorId: 1, meterValue: [{ timestamp: start.timestamp, sampledValue: [{ value: 7 }] }] },
    ],
  ])('%s', (error, action, input) => expect(errorOf(action, input)).toBe(error))

  it.each([
    ['[2,"1",7,{}]', 'FormationViolation'],
    ['[2,"1","Heartbeat"]', 'ProtocolError'],
    ['[2,"1","Heartbeat",[]]', 'FormationViolation'],
    ['[2,"1","Heartbeat",{},{}]', 'FormationViolation'],
    // Without an id no answer is possible.
    ['[2,1,"Heartbeat",{}]', undefined],
    [`[2,"${'x'.repeat(37)}","Heartbeat",{}]`, undefined],
    ['[5,"1"]', undefined],
    ['{"a":1}', undefined],
    ['[2,', undefined],
    ['[4,"1"]', undefined],
    [' '.repeat(70_000), undefined],
  ])('%.40s is refused', (text, code) => {
    const frame = readFrame(text)
    expect(frame).toMatchObject(code === undefined ? { ok: false } : { ok: false, answer: { id: '1', code } })
    if (code === undefined) expect(frame).not.toHaveProperty('answer')
  })
})
