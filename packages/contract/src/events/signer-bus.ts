/**
 * What the api asks a worker to do with keys that the api does not have: the private keys of merchants and of the
 * authority for devices. Inside one release on a bus of our own, so these are types, not schemas.
 */
export const signerSubject = (prefix: string): string => `${prefix}.signer`

export type SignerRequests = {
  /** Seals a merchant's key for storage. */
  seal: { request: { plain: string }; reply: { sealed: string } }
  /** Proves a payment notice by the bytes as they came, and decrypts it. Null: the provider did not sign it. */
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
/** `refused`: the request asks for something that the signer does not do, and will not do later. */
export type SignerReply<K extends SignerKind> = SignerRequests[K]['reply'] | { refused: string }
