/** Attribute names are the same in every protocol, such as 'heartbeatInterval'; OCPP keys start with a capital. */
export const keyOf = (identifier: string): string => identifier.charAt(0).toUpperCase() + identifier.slice(1)
export const identifierOf = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1)

/** Keys of the standard that use true and false instead of 1 and 0. */
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
