/** Named by spec §9. Session storage, so that closing the tab ends what the tab knew. */
const key = 'access-token'
let partial: string | undefined

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
export const bearerToken = () => partial ?? readToken()
