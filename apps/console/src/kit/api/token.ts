import { useSyncExternalStore } from 'react'

/** Named by spec §9. Session storage, so that closing the tab ends what the tab knew. */
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
export const keepToken = (token: string) => {
  partial = undefined
  sessionStorage.setItem(key, token)
}

/** A token that still owes a second factor or a new password is good for nothing else and is not stored. */
export const holdPartialToken = (token: string) => {
  partial = token
}
export const dropPartialToken = () => {
  partial = undefined
}
export const bearerToken = () => partial ?? readToken()

/** The same person has logged in again over the page: the page goes on with this token. */
export function renewToken(token: string) {
  replaced = readToken()
  keepToken(token)
  renewals += 1
  for (const listener of listeners) listener()
}
/** What was refused to this token may be sent again with the present one. */
export const wasRenewed = (token: string) => token === replaced

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}
/** Grows with each renewal: whatever hangs on the old session starts again. */
export const useRenewals = () => useSyncExternalStore(subscribe, () => renewals)
