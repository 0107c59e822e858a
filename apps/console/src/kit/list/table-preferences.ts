import { useState } from 'react'
import type { ColumnChoice } from './columns.ts'
import { cachedUser } from '../api/user.ts'

/** Preferences in this browser: columns for each user and list, one density for all. */
export type Density = 'large' | 'medium' | 'small'
const densityKey = 'table-density'
const choiceKey = (listKey: string) => `table-columns:${cachedUser()?.id ?? ''}:${listKey}`
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Undefined for anything but a choice: the content of local storage is not trusted. */
export function parseChoice(text: string | null): ColumnChoice | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<ColumnChoice> | null
    return value && isTexts(value.order) && isTexts(value.hidden)
      ? { order: value.order, hidden: value.hidden }
      : undefined
  } catch {
    return undefined
  }
}

export const parseDensity = (text: string | null): Density => (text === 'large' || text === 'small' ? text : 'medium')

export function useColumnChoice(listKey: string) {
  const [choice, setChoice] = useState(() => parseChoice(localStorage.getItem(choiceKey(listKey))))
  function keep(next: ColumnChoice | undefined) {
    setChoice(next)
    if (next) localStorage.setItem(choiceKey(listKey), JSON.stringify(next))
    else localStorage.removeItem(choiceKey(listKey))
  }
  return [choice, keep] as const
}

export function useDensity() {
  const [density, setDensity] = useState(() => parseDensity(localStorage.getItem(densityKey)))
  function keep(next: Density) {
    setDensity(next)
    localStorage.setItem(densityKey, next)
  }
  return [density, keep] as const
}
