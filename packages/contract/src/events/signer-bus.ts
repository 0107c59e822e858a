/**
 * Requests of the api to a worker for operations with keys that the api does not have: the private keys of merchants
 * and of the device authority. They stay inside one release on our own bus, so these are types, not schemas.
 */
export const signerSubject = (prefix: string): string => `${prefix}.signer`

export type SignerRequests = {
  /** Encrypts a merchant's key for storage. */
  seal: { request: { plain: string }; reply: { sealed: string } }
  /** Verifies a payment notice on its raw bytes and decrypts it. Null: the signature is not of the provider. */
  readNotice: {
    request: { merchantId: string; head: Record<string, string | undefined>; body: string }
    reply: { notice: object | null }
  }
  /** Signs certificates for devices that use one. The name comes from the database, not from the request. */
  certify: {
    request: { devices: { deviceId: string; publicKey: string }[]; days: number }
    reply: { certificates: { cert: string; serial: string; fingerprint: string; notAfterMs: number }[] }
  }
}
export type SignerKind = keyof SignerRequests
export type SignerRequest = { [K in SignerKind]: { kind: K } & SignerRequests[K]['request'] }[SignerKind]
/** `refused`: the signer does not support this request; a retry is useless. */
export type SignerReply<K extends SignerKind> = SignerRequests[K]['reply'] | { refused: string }
