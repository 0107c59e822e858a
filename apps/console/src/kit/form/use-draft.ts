import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { draftKey, dropDraft, readDraft, type Values, writeDraft } from './drafts.ts'
import { readToken } from '../api/token.ts'
import { useUser } from '../api/user.ts'

const pauseMs = 400

/** The draft of one form: the values restored at opening, and functions to keep, forget and discard it. */
export function useDraft(route: AnyRoute, openedWith: readonly unknown[]) {
  const userId = useUser()?.id ?? ''
  const [key] = useState(() => draftKey(userId, route, openedWith))
  const [restored, setRestored] = useState(() => readDraft(key, route))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const unwritten = useRef<Values>(undefined)

  const write = useCallback(() => {
    clearTimeout(timer.current)
    // Logout has removed every draft; a pending write must not create one again.
    if (unwritten.current && readToken() !== null) writeDraft(key, route, unwritten.current)
    unwritten.current = undefined
  }, [key, route])
  useEffect(() => {
    globalThis.addEventListener('pagehide', write)
    return () => {
      globalThis.removeEventListener('pagehide', write)
      write()
    }
  }, [write])

  /** Called with every change of the form; the write is debounced. */
  function keep(values: Values) {
    unwritten.current = { ...restored, ...values }
    clearTimeout(timer.current)
    timer.current = setTimeout(write, pauseMs)
  }
  /** Removes the draft after the input was saved or abandoned. */
  const forget = useCallback(() => {
    unwritten.current = undefined
    dropDraft(key)
  }, [key])
  function discard() {
    forget()
    setRestored(undefined)
  }
  return { restored, keep, forget, discard }
}
