import type { TariffSheet } from '@wattdeck/contract/product/tariff-sheet.ts'
import type { Period } from '@wattdeck/domain/tariff/rules.ts'

/** The state of the editor: the fields of all three billing types, so that switching loses nothing. */
type EnergySheet = Extract<TariffSheet, { billingType: 0 }>
type TimeSheet = Extract<TariffSheet, { billingType: 1 }>
type PowerSheet = Extract<TariffSheet, { billingType: 2 }>
export type SegmentRow = EnergySheet['segments'][number]
export type TierRow = TimeSheet['tiers'][number]
export type BandRow = PowerSheet['bands'][number]
export type PresetRow = TariffSheet['presets'][number]
export type TariffForm = Omit<EnergySheet, 'billingType'> &
  Pick<TimeSheet, 'unitMinutes' | 'stepMinutes' | 'tiers' | 'electricity'> &
  Pick<PowerSheet, 'mode' | 'bands'> & { billingType: TariffSheet['billingType'] }

export const emptyForm: TariffForm = {
  billingType: 0,
  minFee: '0.00',
  startFee: '0.00',
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricity: '', service: '' }],
  unitMinutes: 60,
  stepMinutes: 1,
  tiers: [{ uptoMin: null, price: '' }],
  electricity: '',
  mode: 'peak',
  bands: [{ maxWatt: 200, price: '' }],
}

export const formOf = (sheet: TariffSheet): TariffForm => ({ ...emptyForm, ...sheet })

/** The submitted rules: only the fields of the billing type. */
export function sheetFrom(form: TariffForm): TariffSheet {
  const { minFee, startFee, freeMinutes, maxMinutes, fullStop, refundUnused, occupancy, presets } = form
  const common = { minFee, startFee, freeMinutes, maxMinutes, fullStop, refundUnused, occupancy, presets }
  if (form.billingType === 0) return { billingType: 0, ...common, segments: form.segments }
  const { electricity } = form
  if (form.billingType === 1) {
    const { unitMinutes, stepMinutes, tiers } = form
    return { billingType: 1, ...common, unitMinutes, stepMinutes, tiers, electricity }
  }
  return { billingType: 2, ...common, mode: form.mode, bands: form.bands, electricity }
}

const halfHour = 30
const snap = (minute: number) => Math.round(minute / halfHour) * halfHour

/** Moves the edge after a segment. Both neighbours keep at least half an hour. */
export function moveEdge(segments: readonly SegmentRow[], at: number, minute: number): SegmentRow[] {
  const [left, right] = [segments[at], segments[at + 1]]
  if (left === undefined || right === undefined) return [...segments]
  const edge = Math.min(right.toMin - halfHour, Math.max(left.fromMin + halfHour, snap(minute)))
  if (edge <= left.fromMin || edge >= right.toMin) return [...segments]
  return segments.with(at, { ...left, toMin: edge }).with(at + 1, { ...right, fromMin: edge })
}

/** Splits a segment in two halves of the same price; a segment of half an hour stays. */
export function splitSegment(segments: readonly SegmentRow[], at: number): SegmentRow[] {
  const one = segments[at]
  if (one === undefined || one.toMin - one.fromMin <= halfHour) return [...segments]
  const middle = snap((one.fromMin + one.toMin) / 2)
  const edge = middle >= one.toMin ? one.toMin - halfHour : middle
  return segments.toSpliced(at, 1, { ...one, toMin: edge }, { ...one, fromMin: edge })
}

/** The previous segment takes its time; for the first segment the next one. */
export function dropSegment(segments: readonly SegmentRow[], at: number): SegmentRow[] {
  const removedSegment = segments[at]
  if (removedSegment === undefined || segments.length === 1) return [...segments]
  const remaining = segments.toSpliced(at, 1)
  const heir = remaining[Math.max(0, at - 1)]
  if (heir === undefined) return [...segments]
  return at === 0
    ? remaining.with(0, { ...heir, fromMin: 0 })
    : remaining.with(at - 1, { ...heir, toMin: removedSegment.toMin })
}

/** Tones of the price periods. */
export const periodTone: Readonly<Record<Period, string>> = {
  sharp: 'bad',
  peak: 'warn',
  flat: 'run',
  valley: 'ok',
  deepValley: 'link',
}
