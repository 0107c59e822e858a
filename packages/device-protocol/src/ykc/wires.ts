import { accountStatus } from '../account-status.ts'
import { asciiText, coded, Cursor, hexText, layout, mapped, u16, u32, u40, u8, type Wire } from '../bytes.ts'
import { refusal } from '../refusal.ts'
import { startMode } from '../start-mode.ts'
import { stopReason } from '../stop-reason.ts'
import { clock } from './clock.ts'

/** Field codecs of YKC, and the layout of each frame's body. */

/** BCD: two decimal digits in a byte, in reading order. An invalid digit is read as its hex letter. */
const digits = (size: number): Wire<string> =>
  mapped(
    hexText(size),
    (raw) => raw,
    (text: string) => (/^\d+$/.test(text) ? text : undefined),
  )
const noneIfZero = (wire: Wire<string>): Wire<string | undefined> =>
  mapped(
    wire,
    (raw): string | undefined => (/^0*$/.test(raw) ? undefined : raw),
    (value: string | undefined) => value ?? '0'.repeat(wire.size * 2),
  )

const several = (count: number, wire: Wire<number>): Wire<number[]> => ({
  size: count * wire.size,
  read: (from) => Array.from({ length: count }, () => wire.read(from)),
  write: (to, values) => values.length === count && values.every((value) => wire.write(to, value)),
})

const pileNo = digits(7)
const orderNo = noneIfZero(digits(16))
const card = noneIfZero(hexText(8))
/** A gun number is BCD, too. */
const port = mapped(
  u8,
  (raw) => (raw >> 4) * 10 + (raw % 16),
  (value: number) => (value >= 0 && value <= 99 ? Math.floor(value / 10) * 16 + (value % 10) : undefined),
)
const modelNo = mapped(
  digits(2),
  (raw) => Number(raw),
  (value: number) => (Number.isInteger(value) && value >= 0 ? String(value).padStart(4, '0') : undefined),
)
/** 0 is none, 50 is 0 degrees. */
const temperatureC = mapped(
  u8,
  (raw): number | undefined => (raw === 0 ? undefined : raw - 50),
  (value: number | undefined) => (value === -50 ? undefined : (value ?? -50) + 50),
)
/** 15 is version 1.5. */
const version = mapped(
  u8,
  (raw) => `${Math.floor(raw / 10)}.${raw % 10}`,
  (text: string) => (/^\d{1,2}\.\d$/.test(text) ? Number(text.replace('.', '')) : undefined),
)
const vin = mapped(
  asciiText(17),
  (raw): string | undefined => (/^[0-9A-Z]{17}$/i.test(raw) ? raw : undefined),
  (value: string | undefined) => value ?? '',
)
/** In a swipe frame the VIN is reversed. */
const backwardsVin: Wire<string | undefined> = {
  size: vin.size,
  read: (from) => vin.read(new Cursor(Uint8Array.from(from.take(vin.size).toReversed()))),
  write(to, value) {
    const forwards: number[] = []
    const fits = vin.write(forwards, value)
    to.push(...forwards.toReversed())
    return fits
  },
}

const gun = { pileNo, port }

export const loginData = layout({
  pileNo,
  /** 0 direct current, 1 alternating. */
  current: u8,
  portCount: u8,
  protocolVersion: version,
  firmware: asciiText(8),
  /** 0 a SIM card, 1 LAN, 2 WAN, 3 other. */
  network: u8,
  iccid: noneIfZero(hexText(10)),
  carrier: u8,
})
export const heartbeatData = layout({ ...gun, fault: u8 })
export const tariffCheckData = layout({ pileNo, modelNo })
export const tariffCheckAnswerData = layout({ pileNo, modelNo, result: u8 })
export const pileData = layout({ pileNo })
export const gunData = layout(gun)
export const serialPileData = layout({ orderNo, pileNo })

export const reportData = layout({
  orderNo,
  ...gun,
  state: u8,
  homed: u8,
  plugged: u8,
  voltageDv: u16,
  currentDa: u16,
  portTemperatureC: temperatureC,
  cable: hexText(8),
  socPercent: u8,
  batteryTemperatureC: temperatureC,
  chargedMin: u16,
  remainingMin: u16,
  energyDwh: u32,
  lossDwh: u32,
  amountYuanE4: u32,
  /** Bit 0 is the first fault. */
  faults: u16,
})

export const swipeData = layout({
  ...gun,
  cardKind: u8,
  needsPassword: u8,
  card: hexText(8),
  password: hexText(16),
  vin: backwardsVin,
})
export const swipeAnswerData = layout({
  orderNo,
  ...gun,
  card: hexText(8),
  balanceFen: u32,
  allowed: u8,
  account: coded((raw) => accountStatus.read('ykc', raw)),
})

export const startData = layout({ orderNo, ...gun, logicalCard: card, card, balanceFen: u32 })
export const startedData = layout({ orderNo, ...gun, ok: u8, refusal: coded((raw) => refusal.read('ykc', raw)) })
export const stoppedData = layout({ ...gun, ok: u8, reason: u8 })

export const settlementData = layout({
  orderNo,
  ...gun,
  startedAtS: clock,
  endedAtS: clock,
  /** Of sharp, peak, flat and valley: price, energy, energy with losses, amount. */
  shares: several(16, u32),
  meterStartDwh: u40,
  meterEndDwh: u40,
  energyDwh: u32,
  lossDwh: u32,
  amountYuanE4: u32,
  vin,
  start: coded((raw) => startMode.read('ykc', raw)),
  deviceTimeS: clock,
  stopReason: coded((raw) => stopReason.read('ykc', raw)),
  card,
})
export const settlementAnswerData = layout({ orderNo, result: u8 })

/** Answers to a command: 1 is success. */
export const doneData = layout({ pileNo, ok: u8 })
/** Answers to a request of the pile: 0 is success. */
export const pileAnswerData = layout({ pileNo, result: u8 })
export const gunAnswerData = layout({ ...gun, result: u8 })
export const clockData = layout({ pileNo, atS: clock })
/** `locked` is 1 for locked; `powerPercent` limits the pile's power. */
export const workData = layout({ pileNo, locked: u8, powerPercent: u8 })
/** `when`: 1 at once, 2 when no gun charges. */
export const restartData = layout({ pileNo, when: u8 })

export const tariffData = layout({
  pileNo,
  modelNo,
  /** Of sharp, peak, flat and valley: energy, service. */
  prices: several(8, u32),
  lossPercent: u8,
  /** Index of the price for each half hour. */
  periods: several(48, u8),
})
