import fc from 'fast-check'
import type { DeviceCommand, DeviceEvent } from '../src/message.ts'
import { plugStatus, type PlugReading } from '../src/plug-status.ts'
import { alarmKind } from '../src/alarm-kind.ts'
import { startMode } from '../src/start-mode.ts'
import { stopReason } from '../src/stop-reason.ts'
import { orderSerial } from '../src/ykc/serial.ts'

/** Generators of all values that YKC can carry, for property tests. */
export const pileNo = '55031412782305'

const int = (max: number, min = 0) => fc.integer({ min, max })
const u16 = int(0xffff)
const u32 = int(0xffff_ffff)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`))
const port = int(99, 1)
const timeS = int(4_102_000_000, 946_684_800)
const degrees = maybe(int(205, -49))
const card = hex(16).filter((text) => !/^0+$/.test(text))
const vin = fc.stringMatching(/^[0-9A-Z]{17}$/)
const orderNo = fc.tuple(int(99, 1), int(4_000_000_000, 1_000_000_000), int(9999)).map(([gun, atS, count]) => ({
  port: gun,
  orderNo: orderSerial(pileNo, gun, atS * 1000, count),
}))
const plug: fc.Arbitrary<PlugReading> = fc.oneof(
  int(255)
    .map((raw) => plugStatus.read('ykc', raw))
    .filter(({ name }) => name !== 'connected'),
  fc.constant({ name: 'connected' as const, raw: 2 }),
)
const faults = fc.subarray(Array.from({ length: 16 }, (_, at) => alarmKind.read('ykc', at + 1)))

const report = fc
  .record({
    order: maybe(orderNo),
    anyPort: port,
    status: plug,
    voltageDv: u16,
    currentDa: u16,
    energyWh: int(400_000_000),
    chargedMin: u16,
    portTemperatureC: degrees,
    batteryTemperatureC: degrees,
    socPercent: int(255),
    remainingMin: u16,
    amountYuanE4: u32,
    faults,
  })
  .map(({ order, anyPort, currentDa, chargedMin, ...rest }) => ({
    kind: 'portReport' as const,
    ...rest,
    port: order?.port ?? anyPort,
    orderNo: order?.orderNo,
    currentMa: currentDa * 100,
    powerDw: Math.round((rest.voltageDv * currentDa) / 10),
    durationS: chargedMin * 60,
  }))

const share = fc.record({ priceYuanE5: u32, energyDwh: u32, lossDwh: u32, amountYuanE4: u32 })
const settlement = fc
  .record({
    order: orderNo,
    startedAtS: timeS,
    durationS: int(200_000),
    byPrice: fc.array(share, { minLength: 4, maxLength: 4 }),
    meterStartDwh: int(2 ** 40 - 1),
    meterEndDwh: int(2 ** 40 - 1),
    energyDwh: u32,
    lossDwh: u32,
    amountYuanE4: u32,
    vin: maybe(vin),
    start: int(255).map((raw) => startMode.read('ykc', raw)),
    stopReason: int(255).map((raw) => stopReason.read('ykc', raw)),
    deviceTimeS: maybe(timeS),
    card: maybe(card),
  })
  .map(({ order, ...rest }) => ({
    kind: 'settlement' as const,
    ...order,
    ...rest,
    endedAtS: rest.startedAtS + rest.durationS,
    energyWh: Math.round(rest.energyDwh / 10),
  }))

export const ykcEvent: fc.Arbitrary<DeviceEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('register' as const),
    firmware: fc.stringMatching(/^[!-~]{1,8}$/),
    portCount: int(255),
    model: fc.constantFrom('AC', 'DC'),
    protocolVersion: fc.constantFrom('1.5', '1.6'),
    iccid: maybe(fc.stringMatching(/^8986[0-9a-f]{16}$/)),
  }),
  port.map((one) => ({ kind: 'heartbeat' as const, ports: [], port: one })),
  fc.tuple(port, int(255, 1)).map(([one, raw]) => ({
    kind: 'portStatus' as const,
    port: one,
    status: { name: 'fault' as const, raw },
  })),
  report,
  fc.record({ kind: fc.constant('swipe' as const), port, cardKind: int(3, 1), card: hex(16), vin: maybe(vin) }),
  settlement,
  fc.record({ kind: fc.constant('tariffAsked' as const), modelNo: maybe(int(9999)) }),
)

const price = fc.record({ energyYuanE5: u32, serviceYuanE5: u32 })
export const ykcCommandSent: fc.Arbitrary<DeviceCommand> = fc.oneof(
  fc.constantFrom(
    { kind: 'restart' as const, force: undefined },
    { kind: 'restart' as const, force: true },
    { kind: 'stop' as const },
    { kind: 'restore' as const },
  ),
  port.map((one) => ({ kind: 'query' as const, port: one })),
  timeS.map((atS) => ({ kind: 'setClock' as const, atS })),
  fc.tuple(orderNo, u32).map(([order, balanceFen]) => ({
    kind: 'startPort' as const,
    ...order,
    limit: { by: 'full' as const },
    balanceFen,
  })),
  fc.record({
    kind: fc.constant('setTariff' as const),
    modelNo: int(9999),
    prices: fc.array(price, { minLength: 4, maxLength: 4 }),
    periods: fc.array(int(3), { minLength: 48, maxLength: 48 }),
    lossPercent: int(255),
  }),
)
