import { useSyncExternalStore } from 'react'

/** Name from spec §9. In session storage, so that the token ends with the tab. */
const key = 'access-token'
let partial: string | undefined
let replaced: string | null = null
let renewals = 0
const listeners = new Set<() => void>()

export const readToken = () => sessionStorage.getItem(key)
export const dropToken = () => {
  partial = undefined
  sessionStorage.removeItem(key)
}
export const storeToken = (token: string) => {
  partial = undefined
  sessionStorage.setItem(key, token)
}

/** A partial token authorises only the second factor or a new password, and is never stored. */
export const setPartialToken = (token: string) => {
  partial = token
}
export const dropPartialToken = () => {
  partial = undefined
}
export const bearerToken = () => partial ?? readToken()

/** Replaces the token after the same user has logged in again over the page. */
export function renewToken(token: string) {
  replaced = readToken()
  storeToken(token)
  renewals += 1
  for (const listener of listeners) listener()
}
/** Whether requests refused with this token may be retried with the current one. */
export const wasRenewed = (token: string) => token === replaced

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}
/** Grows with each renewal, so that subscribers of the old session restart. */
export const useRenewals = () => useSyncExternalStore(subscribe, () => renewals)
