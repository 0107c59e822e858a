import { analysisDays, analysisGrain, type AnalysisGrain } from '@wattdeck/contract/dashboard/analysis.ts'

/** Named ranges: a link to one is resolved relative to the day it is opened. */
export const presets = [
  { value: 'today', label: '今日' },
  { value: 'yesterday', label: '昨日' },
  { value: '7d', label: '近7天' },
  { value: '30d', label: '近30天' },
  { value: 'month', label: '本月' },
  { value: 'lastMonth', label: '上月' },
  { value: 'year', label: '今年' },
] as const
export type Preset = (typeof presets)[number]['value']
export type Days = { from: string; to: string }

const dayMs = 86_400_000
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
/** Days in Asia/Shanghai, independent of the browser's time zone. */
export const shanghaiToday = (nowMs: number) => dayAt(nowMs + 8 * 3_600_000)

export function daysOf(preset: Preset, today: string): Days {
  const back = (days: number) => dayAt(startOf(today) - days * dayMs)
  const first = `${today.slice(0, 7)}-01`
  const lastOfBefore = dayAt(startOf(first) - dayMs)
  const ranges: Record<Preset, Days> = {
    today: { from: today, to: today },
    yesterday: { from: back(1), to: back(1) },
    '7d': { from: back(6), to: today },
    '30d': { from: back(29), to: today },
    month: { from: first, to: today },
    lastMonth: { from: `${lastOfBefore.slice(0, 7)}-01`, to: lastOfBefore },
    year: { from: `${today.slice(0, 4)}-01-01`, to: today },
  }
  return ranges[preset]
}

const countOf = ({ from, to }: Days) => Math.round((startOf(to) - startOf(from)) / dayMs) + 1
const { hour, day, week, month } = analysisGrain.code

/** The grains that suit a period; the first is the default. */
export function grainsFor(days: Days): AnalysisGrain[] {
  const count = countOf(days)
  if (count <= 2) return [hour]
  if (count <= analysisDays.hours) return [day, hour]
  if (count <= 31) return [day, week]
  return count <= 184 ? [week, day, month] : [month, week, day]
}

const owners = ['organiseId', 'agentId', 'siteId', 'deviceTypeId'] as const
type Owners = Partial<Record<(typeof owners)[number], string>>
export type AnalysisState = {
  /** Undefined: custom days. */
  preset: Preset | undefined
  days: Days
  grain: AnalysisGrain
  owners: Owners
}

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(startOf(text)) && dayAt(startOf(text)) === text
const isId = (text: string | null): text is string => text !== null && /^[1-9]\d{0,17}$/.test(text)

/** The state in a link; invalid values are ignored. */
export function readState(params: URLSearchParams, today: string): AnalysisState {
  const [from, to] = [params.get('from'), params.get('to')]
  const own = isDay(from) && isDay(to) && from <= to && countOf({ from, to }) <= analysisDays.most
  const named = presets.find(({ value }) => value === params.get('range'))?.value
  const preset = named ?? (own ? undefined : '30d')
  const days = preset === undefined && own ? { from, to } : daysOf(preset ?? '30d', today)
  const fitting = grainsFor(days)
  const chosen = fitting.find((one) => String(one) === params.get('grain'))
  const ownerEntries = owners.flatMap((name) => {
    const value = params.get(name)
    return isId(value) ? [[name, value] as const] : []
  })
  return { preset, days, grain: chosen ?? fitting[0] ?? day, owners: Object.fromEntries(ownerEntries) }
}

type Changes = Record<string, string | undefined>
/** The link after a selection. Custom days and a named range exclude each other. */
export function withChanges(now: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(now)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  if (changes['range'] !== undefined) for (const name of ['from', 'to', 'grain']) next.delete(name)
  if (changes['from'] !== undefined) for (const name of ['range', 'grain']) next.delete(name)
  return next
}
