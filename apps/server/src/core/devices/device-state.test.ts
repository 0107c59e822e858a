import { messageEpochMs, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DeviceState, messageMs, startChange, applyMessage } from './device-state.ts'

const nowMs = messageEpochMs + 1_000_000
const fresh: DeviceState = {
  deviceId: '1',
  organiseId: '2',
  agentId: null,
  siteId: null,
  patienceMs: 370_000,
  online: false,
  beatOrd: 0n,
  csqOrd: 0n,
  registrationOrd: 0n,
  plugs: [1, 1, 1],
  plugOrds: [0n, 0n, 0n],
  lastSeenMs: 0,
  onlineUntilMs: 0,
  session: 0n,
  connectedMs: 0,
  disconnectedMs: 0,
  address: null,
  gateway: null,
  contestedMs: 0,
  csq: null,
  temperatureC: null,
  voltageDv: null,
}
const idAt = (ms: number) => String((BigInt(ms) << 22n) | 1n)
const item = (ms: number, e: object): UpItem => ({ id: idAt(ms), d: '1', o: idAt(ms), e: e as UpItem['e'] })
const heartbeat = (ms: number, statuses: readonly ('free' | 'working' | 'fault')[], csq = 20) =>
  item(ms, { kind: 'heartbeat', csq, ports: statuses.map((name) => plugStatus.say('dny', name)) })
const report = (ms: number, port: number, powerDw: number) =>
  item(ms, {
    kind: 'portReport',
    port,
    status: plugStatus.say('dny', 'working'),
    powerDw,
    energyWh: 10,
    durationS: 120,
  })

const after = (items: readonly UpItem[], state = fresh) => {
  const change = startChange(state)
  for (const one of items) applyMessage(change, one, 7, nowMs)
  return change
}
/** The part of the state that must not depend on the order of messages; the last gateway does. */
const lasting = ({ state, reports }: ReturnType<typeof after>) => ({
  state: { ...state, gateway: null },
  reports: [...reports.values()].toSorted((one, other) => one.portNo - other.portNo),
})

const messages = fc.uniqueArray(
  fc.oneof(
    fc
      .tuple(
        fc.integer({ min: 700_000, max: 999_999 }),
        fc.array(fc.constantFrom('free', 'working', 'fault'), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 0, max: 31 }),
      )
      .map(([ms, ports, csq]) => heartbeat(ms, ports as ('free' | 'working')[], csq)),
    fc
      .tuple(
        fc.integer({ min: 700_000, max: 999_999 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 5000 }),
      )
      .map(([ms, port, power]) => report(ms, port, power)),
  ),
  { selector: (one) => one.id, minLength: 1, maxLength: 20 },
)

describe('the state of a device', () => {
  it('does not depend on the order or repetition of its messages', () => {
    fc.assert(
      fc.property(messages, fc.infiniteStream(fc.nat()), (items, order) => {
        const inOrder = items.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
        const shuffled = [...items, ...items.slice(0, 5)]
          .map((one) => ({ one, key: order.next().value as number }))
          .toSorted((one, other) => one.key - other.key)
          .map(({ one }) => one)
        expect(lasting(after(shuffled))).toEqual(lasting(after(inOrder)))
      }),
    )
  })

  it('is that of its newest message, regardless of late older ones', () => {
    const { state, happenings } = after([
      heartbeat(900_000, ['working', 'free', 'free'], 25),
      heartbeat(800_000, ['free', 'fault', 'free'], 3),
    ])
    expect([state.plugs, state.csq]).toEqual([[2, 1, 1], 25])
    expect(happenings.map(({ kind }) => kind)).toEqual(['online', 'portStatus'])
    expect(messageMs(idAt(900_000))).toBe(messageEpochMs + 900_000)
  })

  it('is online after a recent message, and offline only after the end of its own connection', () => {
    const connected = item(990_000, { kind: 'connected', address: '10.0.0.1:1' })
    const disconnection = (session: string) => item(995_000, { kind: 'disconnected', session, reason: 'closed' })
    expect(after([heartbeat(1000, ['free', 'free', 'free'])]).state.online).toBe(false)
    expect(after([connected]).state.online).toBe(true)
    expect(after([connected, disconnection('1')]).state.online).toBe(true)
    expect(after([connected, disconnection(connected.id)]).state.online).toBe(false)
    // A late message of the old connection does not make the device online.
    expect(
      after([connected, disconnection(connected.id), heartbeat(994_000, ['free', 'free', 'free'])]).state.online,
    ).toBe(false)
    expect(
      after([connected, disconnection(connected.id), heartbeat(996_000, ['free', 'free', 'free'])]).state.online,
    ).toBe(true)
  })

  it('is online on a connection that begins in the millisecond in which the previous one ends', () => {
    const connected = item(990_000, { kind: 'connected' })
    const disconnection = item(995_000, { kind: 'disconnected', session: connected.id, reason: 'replaced' })
    const next = item(995_000, { kind: 'connected' })
    const { state } = after([connected, disconnection, { ...next, id: String(BigInt(next.id) + 1n) }])
    expect(state.online).toBe(true)
  })

  it('follows status messages of a single port, and a charge that has just started', () => {
    const status = (ms: number, port: number | undefined, name: 'working' | 'fault') =>
      item(ms, { kind: 'portStatus', port, status: plugStatus.say('ocpp16', name) })
    const { state, reports } = after([
      status(900_000, 2, 'working'),
      status(890_000, 2, 'fault'),
      status(910_000, undefined, 'fault'),
      item(920_000, { kind: 'started', port: 2, transactionId: 7, meterWh: 1000, orderNo: 'A1' }),
    ])
    expect(state.plugs).toEqual([1, 2, 1])
    expect([...reports.values()]).toMatchObject([{ portNo: 2, orderNo: 'A1', powerDw: null, energyWh: 0, minutes: 0 }])
  })

  it('ignores ports beyond its count and unknown plug statuses', () => {
    const strange = item(900_000, {
      kind: 'heartbeat',
      ports: [
        { name: 'unknown', raw: 77 },
        ...['free', 'free', 'fault'].map((name) => plugStatus.say('dny', name as 'free')),
      ],
    })
    expect(after([strange]).state.plugs).toEqual([1, 1, 1])
  })
})
