import { createHash, timingSafeEqual } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Identity, OcppProfile } from '@wattdeck/contract/events/device-bus.ts'

/** Admission of OCPP charge points. A refusal does not reveal whether the charge point exists. */

/** Parses `/ocpp/{chargePointId}` with the characters of a device number; undefined for any other path. */
export const chargePointId = (url: string | undefined): string | undefined =>
  /^\/ocpp\/([0-9A-Za-z]{4,32})$/.exec(url ?? '')?.[1]

export const subprotocol = 'ocpp1.6'
export const speaksOcpp = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((word) => word.trim() === subprotocol)

/** The security profile of a connection, and its client certificate. */
export type Entrance = {
  profile: OcppProfile
  certificateName: string | undefined
  /** SHA-256 of the certificate, in hex. */
  fingerprint: string | undefined
}
export function entranceOf(socket: Duplex): Entrance {
  if (!(socket instanceof TLSSocket)) return { profile: 1, certificateName: undefined, fingerprint: undefined }
  // Without a certificate signed by our device authority, the connection counts as TLS only (profile 2).
  if (!socket.authorized) return { profile: 2, certificateName: undefined, fingerprint: undefined }
  // A certificate without a name has no subject.
  const { subject, fingerprint256 } = socket.getPeerCertificate() as {
    subject?: { CN?: unknown }
    fingerprint256?: string
  }
  const name = subject?.CN
  return {
    profile: 3,
    certificateName: typeof name === 'string' ? name : undefined,
    fingerprint: fingerprint256?.replaceAll(':', '').toLowerCase(),
  }
}

/** The Basic password, if the user name is the charge point's id. It may contain any bytes. */
function passwordOf(authorization: string | undefined, id: string): Buffer | undefined {
  const encoded = /^ *basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization ?? '')?.[1]
  const bytes = Buffer.from(encoded ?? '', 'base64')
  const user = Buffer.from(`${id}:`)
  return bytes.subarray(0, user.length).equals(user) ? bytes.subarray(user.length) : undefined
}

const noHash = '0'.repeat(64)
const isPassword = (password: Buffer, hash: string): boolean =>
  timingSafeEqual(createHash('sha256').update(password).digest(), Buffer.from(hash, 'hex'))

export type Verdict = 'welcome' | 'stranger' | 'downgrade' | 'certificate' | 'password'

/** Accepts the configured profile or a higher one; a device configured for TLS is never admitted without it. */
export function judge(id: string, identity: Identity | null, entrance: Entrance, authorization?: string): Verdict {
  const password = passwordOf(authorization, id) ?? Buffer.alloc(0)
  // Always compares a hash, so the response time does not reveal whether the charge point exists.
  const right = isPassword(password, identity?.secretHash ?? noHash)
  const profile = identity?.ocppProfile ?? undefined
  if (profile === undefined) return 'stranger'
  if (entrance.profile < profile) return 'downgrade'
  // A valid signature is not enough: the certificate may be revoked, or replaced by a successor.
  const isGood = identity?.certificates?.some((good) => good === entrance.fingerprint) === true
  if (profile === 3) return entrance.certificateName === id && isGood ? 'welcome' : 'certificate'
  // A certificate that the profile does not require must still name this charge point.
  if (entrance.certificateName !== undefined && entrance.certificateName !== id) return 'certificate'
  return right ? 'welcome' : 'password'
}

const windowMs = 600_000
const maxOfOne = 5
const maxOfAddress = 100
const maxRemembered = 100_000

/**
 * Counts refusals of the last ten minutes, per address and per address and charge point. A count per charge point alone
 * would let anyone lock it out.
 */
export class Attempts {
  readonly #failed = new Map<string, { count: number; untilMs: number }>()

  tooMany(address: string, id: string, nowMs: number): boolean {
    return this.#count(`${address} ${id}`, nowMs) >= maxOfOne || this.#count(address, nowMs) >= maxOfAddress
  }

  failed(address: string, id: string, nowMs: number): void {
    if (this.#failed.size >= maxRemembered) this.#forgetOld(nowMs)
    for (const key of [`${address} ${id}`, address]) {
      const before = this.#count(key, nowMs)
      const untilMs = before === 0 ? nowMs + windowMs : (this.#failed.get(key)?.untilMs ?? nowMs)
      this.#failed.set(key, { count: before + 1, untilMs })
    }
  }

  #count(key: string, nowMs: number): number {
    const entry = this.#failed.get(key)
    return entry !== undefined && entry.untilMs > nowMs ? entry.count : 0
  }

  /** Clears all entries when expired ones are not enough, to bound the memory. */
  #forgetOld(nowMs: number): void {
    for (const [key, { untilMs }] of this.#failed) if (untilMs <= nowMs) this.#failed.delete(key)
    if (this.#failed.size >= maxRemembered) this.#failed.clear()
  }
}
