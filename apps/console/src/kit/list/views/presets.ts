import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { useSyncExternalStore } from 'react'

/** A filter that everybody has as a tab of a list. */
export type Preset = {
  name: string
  /** The filter as the address writes it. */
  text: string
  /** The list opens with it, unless its reader has chosen a view for that. */
  opens?: boolean
}

const dayMs = 86_400_000
const spans = [
  { name: '今日', count: 1 },
  { name: '近7天', count: 7 },
  { name: '近30天', count: 30 },
]

/** Days up to today, for a list with the filters `from` and `to`. */
export const dayPresets = (today: string, opens?: string): Preset[] =>
  spans.map(({ name, count }) => {
    const from = new Date(Date.parse(today) - (count - 1) * dayMs).toISOString().slice(0, 10)
    return { name, text: `from=${from}&to=${today}`, opens: name === opens }
  })

const today = () => shanghaiDay(Date.now())
/** A page may stay open overnight. */
function watchDay(notify: () => void) {
  const timer = setInterval(notify, 60_000)
  return () => clearInterval(timer)
}

/** 今日, 近7天 and 近30天; the named one is what the list opens with. */
export const useDayPresets = (opens?: string): Preset[] => dayPresets(useSyncExternalStore(watchDay, today), opens)
