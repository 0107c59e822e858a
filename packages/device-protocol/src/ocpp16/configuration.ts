/** Attributes are called as in every protocol, 'heartbeatInterval'; the keys of OCPP begin with a capital. */
export const keyOf = (identifier: string): string => identifier.charAt(0).toUpperCase() + identifier.slice(1)
export const identifierOf = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1)

/** Keys of the standard that are written as true and false, not as 1 and 0. */
export const booleanKeys: ReadonlySet<string> = new Set([
  'AllowOfflineTxForUnknownId',
  'AuthorizationCacheEnabled',
  'AuthorizeRemoteTxRequests',
  'LocalAuthListEnabled',
  'LocalAuthorizeOffline',
  'LocalPreAuthorize',
  'StopTransactionOnEVSideDisconnect',
  'StopTransactionOnInvalidId',
  'UnlockConnectorOnEVSideDisconnect',
])
