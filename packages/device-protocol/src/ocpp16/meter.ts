import { dateTime, list, oneOf, record, text } from './schema.ts'
import type { TypeOf } from './schema.ts'

const sampledValue = record(
  { value: text(5000) },
  {
    context: oneOf(
      'Interruption.Begin',
      'Interruption.End',
      'Sample.Clock',
      'Sample.Periodic',
      'Transaction.Begin',
      'Transaction.End',
      'Trigger',
      'Other',
    ),
    format: oneOf('Raw', 'SignedData'),
    measurand: oneOf(
      'Energy.Active.Export.Register',
      'Energy.Active.Import.Register',
      'Energy.Reactive.Export.Register',
      'Energy.Reactive.Import.Register',
      'Energy.Active.Export.Interval',
      'Energy.Active.Import.Interval',
      'Energy.Reactive.Export.Interval',
      'Energy.Reactive.Import.Interval',
      'Power.Active.Export',
      'Power.Active.Import',
      'Power.Offered',
      'Power.Reactive.Export',
      'Power.Reactive.Import',
      'Power.Factor',
      'Current.Import',
      'Current.Export',
      'Current.Offered',
      'Voltage',
      'Frequency',
      'Temperature',
      'SoC',
      'RPM',
    ),
    phase: oneOf('L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'),
    location: oneOf('Cable', 'EV', 'Inlet', 'Outlet', 'Body'),
    unit: oneOf(
      'Wh',
      'kWh',
      'varh',
      'kvarh',
      'W',
      'kW',
      'VA',
      'kVA',
      'var',
      'kvar',
      'A',
      'V',
      'K',
      'Celcius',
      'Celsius',
      'Fahrenheit',
      'Percent',
    ),
  },
)
export const meterValue = record({ timestamp: dateTime, sampledValue: list(sampledValue) }, {})
export type MeterValue = TypeOf<typeof meterValue>
type Sample = TypeOf<typeof sampledValue>

/** Meter readings in our units. Missing and implausible values are omitted. */
export type Readings = {
  /** Total of the meter since its manufacture. */
  registerWh?: number | undefined
  powerDw?: number | undefined
  voltageDv?: number | undefined
  currentMa?: number | undefined
  temperatureC?: number | undefined
}

const within = (value: number, min: number, max: number): number | undefined =>
  value >= min && value <= max ? Math.round(value) : undefined
const numberOf = ({ value }: Sample): number =>
  /^\s*[+-]?\d+(?:\.\d*)?(?:e[+-]?\d{1,2})?\s*$/i.test(value) ? Number(value) : Number.NaN
const inThousands = (sample: Sample): number => numberOf(sample) * (sample.unit?.startsWith('k') === true ? 1000 : 1)

function celsius(sample: Sample): number {
  if (sample.unit === 'K') return numberOf(sample) - 273.15
  return sample.unit === 'Fahrenheit' ? ((numberOf(sample) - 32) * 5) / 9 : numberOf(sample)
}

/** A sample without a phase is the total; otherwise the phases are summed. */
function total(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const whole = samples.find(({ phase }) => phase === undefined)
  if (whole !== undefined) return of(whole)
  const phases = samples.filter(({ phase }) => phase === 'L1' || phase === 'L2' || phase === 'L3')
  return phases.length === 0 ? Number.NaN : phases.reduce((sum, sample) => sum + of(sample), 0)
}
/** The first phase only: voltages and currents do not add up. */
function ofOne(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const [first] = samples.toSorted((one, other) => (one.phase ?? '').localeCompare(other.phase ?? ''))
  return first === undefined ? Number.NaN : of(first)
}

/** Returns the newest reading of each kind. */
export function readingsOf(values: readonly MeterValue[]): Readings {
  const newest = values.toSorted((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp))
  const of = (measurand: Sample['measurand']): Sample[] => {
    const has = (sample: Sample) =>
      (sample.measurand ?? 'Energy.Active.Import.Register') === measurand && sample.format !== 'SignedData'
    return newest.map(({ sampledValue: samples }) => samples.filter(has)).find((matching) => matching.length > 0) ?? []
  }
  return {
    registerWh: within(total(of('Energy.Active.Import.Register'), inThousands), 0, 2_000_000_000),
    powerDw: within(total(of('Power.Active.Import'), inThousands) * 10, 0, 10_000_000),
    voltageDv: within(ofOne(of('Voltage'), numberOf) * 10, 0, 10_000),
    currentMa: within(ofOne(of('Current.Import'), numberOf) * 1000, 0, 1_000_000),
    temperatureC: within(ofOne(of('Temperature'), celsius), -60, 200),
  }
}

/** Encodes readings as a charge point sends them. */
export function meterValueOf(readings: Readings, timestamp: string): MeterValue {
  const { registerWh, powerDw, voltageDv, currentMa, temperatureC } = readings
  const sample = (value: number | undefined, size: number, kind: Omit<Sample, 'value'>): Sample[] =>
    value === undefined ? [] : [{ value: String(value / size), context: 'Sample.Periodic', ...kind }]
  return {
    timestamp,
    sampledValue: [
      ...sample(registerWh, 1, { measurand: 'Energy.Active.Import.Register', unit: 'Wh' }),
      ...sample(powerDw, 10, { measurand: 'Power.Active.Import', unit: 'W' }),
      ...sample(voltageDv, 10, { measurand: 'Voltage', unit: 'V' }),
      ...sample(currentMa, 1000, { measurand: 'Current.Import', unit: 'A' }),
      ...sample(temperatureC, 1, { measurand: 'Temperature', unit: 'Celsius' }),
    ],
  }
}
