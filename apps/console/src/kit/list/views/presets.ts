import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import { useSyncExternalStore } from 'react'

/** A filter that is a tab of a list for every user. */
export type Preset = {
  name: string
  /** The filter in the format of the address. */
  text: string
  /** The list opens with it, unless the user has a default view. */
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

/** 今日, 近7天 and 近30天; the list opens with the named one. */
export const useDayPresets = (opens?: string): Preset[] => dayPresets(useSyncExternalStore(watchDay, today), opens)
