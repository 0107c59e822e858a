import { accountStatus } from '../account-status.ts'
import { alarmKind } from '../alarm-kind.ts'
import { asciiText, coded, counted, hexText, layout, mapped, noneAt, optional, scaled, u16, u32, u8 } from '../bytes.ts'
import { plugStatus } from '../plug-status.ts'
import { refusal } from '../refusal.ts'
import { startMode } from '../start-mode.ts'
import { stopReason } from '../stop-reason.ts'

/** Field codecs of DNY, and the layout of each frame's data. Later firmware added the optional fields. */

const anyPort = 0xff
/** Ports count from 0 on the wire; FF is none, or any. */
const somePort = mapped(
  u8,
  (raw): number | undefined => (raw === anyPort ? undefined : raw + 1),
  (value: number | undefined) => (value === anyPort + 1 ? undefined : (value ?? 0x100) - 1),
)
const port = mapped(
  u8,
  (raw) => raw + 1,
  (value: number) => value - 1,
)
/** 126 is version 1.26. */
const version = mapped(
  u16,
  (raw) => `${Math.floor(raw / 100)}.${String(raw % 100).padStart(2, '0')}`,
  (text: string) => (/^\d{1,3}\.\d\d$/.test(text) ? Number(text.replace('.', '')) : undefined),
)
/** 0 is no sensor, 65 is 0 degrees. */
const temperatureC = mapped(
  u8,
  (raw): number | undefined => (raw === 0 ? undefined : raw - 65),
  (value: number | undefined) => (value === -65 ? undefined : (value ?? -65) + 65),
)
const energyWh = scaled(u16, 10)
const text20 = asciiText(20)

const orderFill = /^(\d{1,31})f+$/
/**
 * Sixteen bytes that the device stores and returns unchanged: 32 hex digits, or up to 31 decimal digits padded with f.
 * All zeros mean none.
 */
export const orderNo = mapped(
  hexText(16),
  (raw): string | undefined => (/^0+$/.test(raw) ? undefined : (orderFill.exec(raw)?.[1] ?? raw)),
  (value: string | undefined) => {
    if (value === undefined) return '0'.repeat(32)
    if (/^\d{1,31}$/.test(value)) return value.padEnd(32, 'f')
    return /^[\da-f]{32}$/.test(value) && !/^0+$/.test(value) && !orderFill.test(value) ? value : undefined
  },
)
/** The card of a settlement: zero when the platform started the charge. */
const cardOrNone = mapped(
  hexText(4),
  (raw): string | undefined => (raw === '00000000' ? undefined : raw),
  (value: string | undefined) => value ?? '00000000',
)
const longCard = mapped(
  counted(u8),
  (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  (value: string) =>
    /^(?:[\da-f]{2}){1,32}$/.test(value) ? (value.match(/../g) ?? []).map((pair) => Number(`0x${pair}`)) : undefined,
)
const status = coded((raw) => plugStatus.read('dny', raw))
const start = coded((raw) => startMode.read('dny', raw))

export const registerData = layout({
  firmware: version,
  portCount: u8,
  subAddress: u8,
  model: hexText(1),
  workMode: optional(u8),
  powerBoardFirmware: optional(version),
})

export const heartbeatData = layout({
  voltageDv: u16,
  ports: counted(status),
  localSignal: optional(u8),
  temperatureC: optional(temperatureC),
})

export const hostData = layout({
  firmware: version,
  clockChip: u8,
  deviceTimeS: noneAt(u32, 0),
  csq: u8,
  modemType: u8,
  iccid: text20,
  hostType: optional(u8),
  radioFrequency: optional(u16),
  imei: optional(asciiText(15)),
  modemFirmware: optional(asciiText(24)),
})

export const portReportData = layout({
  port,
  status,
  durationS: u16,
  energyWh,
  start,
  powerDw: u16,
  maxPowerDw: u16,
  minPowerDw: u16,
  meanPowerDw: u16,
  orderNo,
  spanEnergyRaw: optional(u16),
  peakPowerDw: optional(u16),
  voltageDv: optional(u16),
  currentMa: optional(u16),
  temperatureC: optional(temperatureC),
  portTemperatureC: optional(temperatureC),
  deviceTimeS: optional(u32),
  occupiedMin: optional(u16),
})

export const swipeData = layout({
  card: hexText(4),
  cardKind: u8,
  port: somePort,
  balanceFen: optional(u16),
  deviceTimeS: optional(u32),
  longCard: optional(longCard),
})
export const swipeAnswerData = layout({
  card: hexText(4),
  account: coded((raw) => accountStatus.read('dny', raw)),
  /** Unit of the balance; 0 is money. */
  rateMode: u8,
  balanceFen: u32,
  port: somePort,
})

export const settlementData = layout({
  durationS: u16,
  maxPowerDw: u16,
  energyWh,
  port,
  start,
  card: cardOrNone,
  stopReason: coded((raw) => stopReason.read('dny', raw)),
  orderNo,
  earlyPowerDw: optional(u16),
  deviceTimeS: optional(u32),
  occupiedMin: optional(u16),
})

export const alarmData = layout({
  alarm: coded((raw) => alarmKind.read('dny', raw)),
  place: optional(u8),
  inputs: optional(u8),
})

/** Start and stop. Modes of rating are 0 by time, 1 by month, 2 by energy, 3 by count. */
export const portData = layout({
  rateMode: u8,
  balanceFen: noneAt(u32, 0),
  port: somePort,
  on: u8,
  /** Seconds or 0.01 kWh, as the mode says; 0 charges until full. */
  amount: u16,
  orderNo,
  maxDurationS: optional(noneAt(u16, 0)),
  overloadDw: optional(noneAt(u16, 0)),
  codeLight: optional(u8),
  keepOn: optional(u8),
  extraFloatS: optional(u16),
  shortCheck: optional(u8),
  ignoreUnplug: optional(u8),
  stopWhenFull: optional(u8),
  fullPowerW: optional(u8),
  fullPowerMin: optional(u8),
})
export const portAnswerData = layout({
  refusal: coded((raw) => refusal.read('dny', raw)),
  orderNo: optional(orderNo),
  port: optional(somePort),
  /** Bit 0 is the first port. */
  waiting: optional(u16),
})

/** Modes here are 0 by time, 1 by time until full, 2 by energy until full. */
export const changePortData = layout({ mode: u8, port, amount: u16 })
export const answerData = layout({ answer: u8 })
export const clockData = layout({ atS: u32 })
