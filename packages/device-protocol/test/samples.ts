import fc from 'fast-check'
import { accountStatus } from '../src/account-status.ts'
import { alarmKind } from '../src/alarm-kind.ts'
import { bytesOfHex } from '../src/bytes.ts'
import { dnyAttributeGroups } from '../src/dny/attributes.ts'
import type { DeviceAnswer, DeviceCommand, DeviceEvent } from '../src/message.ts'
import type { MqttCommand } from '../src/mqtt-json/down.ts'
import type { Outcome } from '../src/outcome.ts'
import { plugStatus } from '../src/plug-status.ts'
import type { Reading } from '../src/protocol-table.ts'
import { refusal } from '../src/refusal.ts'
import { startMode } from '../src/start-mode.ts'
import { stopReason } from '../src/stop-reason.ts'

/** Generators of all values that the protocols can carry, for property tests. */
export function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.value
}
export const bytes = (hex: string): Uint8Array => bytesOfHex(hex) ?? new Uint8Array()

const int = (max: number, min = 0) => fc.integer({ min, max })
const u16 = int(0xffff)
const u32 = int(0xffff_ffff)
const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`))
const coded = <Name extends string>(read: (raw: number) => Reading<Name>) => int(255).map(read)
const version = int(0xffff).map((raw) => `${Math.floor(raw / 100)}.${String(raw % 100).padStart(2, '0')}`)
const port = int(255, 1)
const energyWh = u16.map((raw) => raw * 10)
const temperatureC = fc.option(int(190, -64), { nil: undefined })
const orderNo = fc.oneof(
  fc.stringMatching(/^[1-9]\d{0,30}$/),
  hex(32).filter((text) => !/^0+$|^\d+f+$/.test(text)),
)
const card = hex(8).filter((text) => text !== '00000000')
const iccid = fc.stringMatching(/^8986[0-9A-F]{16}$/)

export const dnyAddress = fc.record({ physicalId: u32, messageId: u16 })

export const dnyEvent: fc.Arbitrary<DeviceEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('register' as const),
    firmware: version,
    portCount: int(255),
    subAddress: int(255),
    model: hex(2),
    workMode: int(255),
    powerBoardFirmware: version,
  }),
  fc.record({
    kind: fc.constant('heartbeat' as const),
    voltageDv: u16,
    ports: fc.array(
      coded((raw) => plugStatus.read('dny', raw)),
      { maxLength: 24 },
    ),
    localSignal: int(255),
    temperatureC,
  }),
  fc.record({
    kind: fc.constant('host' as const),
    firmware: version,
    clockChip: int(2),
    deviceTimeS: int(0xffff_ffff, 1),
    csq: int(255),
    modemType: int(255),
    iccid,
    hostType: int(255),
    radioFrequency: u16,
    imei: fc.stringMatching(/^\d{15}$/),
    modemFirmware: fc.stringMatching(/^[!-~]{1,24}$/),
  }),
  fc.record({
    kind: fc.constant('portReport' as const),
    port,
    status: coded((raw) => plugStatus.read('dny', raw)),
    durationS: u16,
    energyWh,
    start: coded((raw) => startMode.read('dny', raw)),
    powerDw: u16,
    maxPowerDw: u16,
    minPowerDw: u16,
    meanPowerDw: u16,
    orderNo: fc.option(orderNo, { nil: undefined }),
    spanEnergyRaw: u16,
    peakPowerDw: u16,
    voltageDv: u16,
    currentMa: u16,
    temperatureC,
    portTemperatureC: temperatureC,
    deviceTimeS: u32,
    occupiedMin: u16,
  }),
  fc.record({
    kind: fc.constant('swipe' as const),
    card: hex(8),
    cardKind: int(255),
    port: fc.option(port, { nil: undefined }),
    balanceFen: u16,
    deviceTimeS: u32,
    longCard: fc.option(hex(32), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('settlement' as const),
    durationS: u16,
    maxPowerDw: u16,
    energyWh,
    port,
    start: coded((raw) => startMode.read('dny', raw)),
    card: fc.option(card, { nil: undefined }),
    stopReason: coded((raw) => stopReason.read('dny', raw)),
    orderNo: fc.option(orderNo, { nil: undefined }),
    earlyPowerDw: u16,
    deviceTimeS: u32,
    occupiedMin: u16,
  }),
  fc.record({
    kind: fc.constant('alarm' as const),
    alarm: coded((raw) => alarmKind.read('dny', raw)).filter(({ raw }) => raw !== 3 && raw !== 7),
    sensor: int(255),
    inputs: int(255),
  }),
  fc.constant({ kind: 'clockAsked' as const }),
)

const limit = fc.oneof(
  fc.record({ by: fc.constant('duration' as const), durationS: int(0xffff, 1) }),
  fc.record({ by: fc.constant('energy' as const), energyWh: int(0xffff, 1).map((raw) => raw * 10) }),
)
const someOf = (most: number) => fc.option(int(most, 1), { nil: undefined })
const flag = fc.constantFrom(true, undefined)
const realPort = int(24, 1)

export const startPort = fc.record({
  kind: fc.constant('startPort' as const),
  port: fc.oneof(realPort, fc.constant('auto' as const)),
  orderNo,
  limit: fc.oneof(limit, fc.constant({ by: 'full' as const })),
  stopWhenFull: flag,
  maxDurationS: someOf(0xffff),
  overloadDw: someOf(0xffff),
  balanceFen: someOf(0xffff_ffff),
})

export const dnyCommandSent: fc.Arbitrary<DeviceCommand> = fc.oneof(
  fc.constantFrom({ kind: 'restart' as const }, { kind: 'query' as const }),
  startPort,
  fc.record({ kind: fc.constant('stopPort' as const), port: realPort, orderNo }),
  fc
    .record({ kind: fc.constant('changePort' as const), port: realPort, limit, stopWhenFull: flag })
    // An energy limit always ends at a full battery.
    .map((command) => (command.limit.by === 'energy' ? { ...command, stopWhenFull: undefined } : command)),
  fc.constantFrom(...dnyAttributeGroups).chain(({ attributes }) =>
    fc.tuple(...attributes.map(({ min, max }) => fc.integer({ min, max }))).map((values) => ({
      kind: 'writeAttributes' as const,
      values: Object.fromEntries(attributes.map(({ identifier }, at) => [identifier, values[at] ?? 0])),
    })),
  ),
  fc.constantFrom(...dnyAttributeGroups).map(({ attributes }) => ({
    kind: 'readAttributes' as const,
    identifiers: attributes.map(({ identifier }) => identifier),
  })),
)

export const swipeAnswer: fc.Arbitrary<DeviceAnswer> = fc.record({
  kind: fc.constant('swipeAnswer' as const),
  card: hex(8),
  port: fc.option(port, { nil: undefined }),
  account: coded((raw) => accountStatus.read('dny', raw)),
  balanceFen: u32,
})

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const sent = {
  order: fc.record({ bootId: int(0x3f_ffff, 1), seq: int(0xffff_ffff, 1) }),
  deviceTimeS: maybe(u32),
}
const word = fc.stringMatching(/^[!-~]{1,32}$/)
const order = fc.stringMatching(/^[0-9A-Za-z-]{1,36}$/)
const longerCard = fc.stringMatching(/^([0-9a-f]{2}){4,16}$/)
const attributes = fc.dictionary(fc.stringMatching(/^[a-z][0-9A-Za-z]{0,31}$/), fc.maxSafeInteger(), { maxKeys: 32 })
const voltageDv = maybe(int(10_000))
const degrees = maybe(int(200, -60))
const csq = maybe(int(99))

export const mqttEvent: fc.Arbitrary<DeviceEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('register' as const),
    ...sent,
    firmware: word,
    portCount: realPort,
    model: maybe(word),
    powerBoardFirmware: maybe(word),
    iccid: maybe(iccid),
    imei: maybe(fc.stringMatching(/^\d{15}$/)),
    csq,
  }),
  fc.record({
    kind: fc.constant('heartbeat' as const),
    ...sent,
    ports: fc.array(
      coded((raw) => plugStatus.read('mqttJson', raw)),
      { minLength: 1, maxLength: 24 },
    ),
    voltageDv,
    temperatureC: degrees,
    csq,
  }),
  fc.record({
    kind: fc.constant('portReport' as const),
    ...sent,
    port: realPort,
    status: coded((raw) => plugStatus.read('mqttJson', raw)),
    powerDw: int(10_000_000),
    energyWh: int(1_000_000_000),
    durationS: int(31_536_000),
    orderNo: maybe(order),
    start: maybe(coded((raw) => startMode.read('mqttJson', raw))),
    voltageDv,
    currentMa: maybe(int(1_000_000)),
    temperatureC: degrees,
    portTemperatureC: degrees,
  }),
  fc.record({ kind: fc.constant('swipe' as const), ...sent, card: longerCard, port: maybe(realPort) }),
  fc.record({
    kind: fc.constant('offlineStart' as const),
    ...sent,
    port: realPort,
    orderNo: order,
    card: maybe(longerCard),
  }),
  fc.record({
    kind: fc.constant('settlement' as const),
    ...sent,
    port: realPort,
    orderNo: order,
    durationS: int(31_536_000),
    energyWh: int(1_000_000_000),
    maxPowerDw: int(10_000_000),
    stopReason: coded((raw) => stopReason.read('mqttJson', raw)),
    start: maybe(coded((raw) => startMode.read('mqttJson', raw))),
    card: maybe(longerCard),
  }),
  fc.record({
    kind: fc.constant('alarm' as const),
    ...sent,
    alarm: coded((raw) => alarmKind.read('mqttJson', raw)),
    port: maybe(realPort),
  }),
  fc
    .record({
      kind: fc.constant('commandResult' as const),
      ...sent,
      commandId: order,
      ok: fc.boolean(),
      refusal: maybe(coded((raw) => refusal.read('mqttJson', raw))),
      port: maybe(realPort),
      orderNo: maybe(order),
      waitingPorts: maybe(fc.array(realPort, { minLength: 1, maxLength: 24 })),
      attributes: maybe(attributes),
    })
    .map((event) => ({ ...event, carriedOut: event.ok })),
  fc.record({ kind: fc.constantFrom('clockAsked' as const, 'here' as const, 'gone' as const), ...sent }),
)

export const mqttCommand: fc.Arbitrary<MqttCommand> = fc
  .record({
    id: order,
    counter: int(0xffff_ffff, 1),
    issuedAtS: int(2_000_000_000),
    livesS: int(86_400, 1),
    command: fc.oneof(
      fc.constantFrom(...(['restart', 'stop', 'restore', 'query'] as const)).map((kind) => ({ kind })),
      startPort.map((command) => ({
        ...command,
        maxDurationS: maybeIn(command.maxDurationS, 31_536_000),
        overloadDw: maybeIn(command.overloadDw, 10_000_000),
        balanceFen: maybeIn(command.balanceFen, 1_000_000_000),
      })),
      fc.record({ kind: fc.constant('stopPort' as const), port: realPort, orderNo: order }),
      fc.record({ kind: fc.constant('changePort' as const), port: realPort, limit, stopWhenFull: flag }),
      fc.record({
        kind: fc.constant('readAttributes' as const),
        identifiers: fc.array(fc.stringMatching(/^[a-z][0-9A-Za-z]{0,31}$/), { minLength: 1, maxLength: 32 }),
      }),
      fc.record({ kind: fc.constant('writeAttributes' as const), values: attributes }),
      fc.record({ kind: fc.constant('setClock' as const), atS: u32 }),
    ),
  })
  .map(({ livesS, ...rest }) => ({ ...rest, expiresAtS: rest.issuedAtS + livesS }))

const maybeIn = (number: number | undefined, max: number) => (number === undefined ? undefined : Math.min(number, max))

export const mqttAnswer: fc.Arbitrary<DeviceAnswer> = fc.oneof(
  fc.record({
    kind: fc.constant('ack' as const),
    order: sent.order,
    bad: maybe(fc.stringMatching(/^[ -~]{1,64}$/)),
  }),
  fc.record({
    kind: fc.constant('swipeAnswer' as const),
    card: longerCard,
    port: maybe(realPort),
    account: coded((raw) => accountStatus.read('mqttJson', raw)),
    balanceFen: int(1_000_000_000),
  }),
)
