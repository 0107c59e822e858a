import { createHash, timingSafeEqual } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Identity, OcppProfile } from '@wattdeck/contract/events/device-bus.ts'

/** Who may come in as which charge point. Nobody learns from a refusal whether there is such a one. */

/** `/ocpp/{chargePointId}`, with the characters that our numbers have; anything else is nowhere. */
export const chargePointId = (url: string | undefined): string | undefined =>
  /^\/ocpp\/([0-9A-Za-z]{4,32})$/.exec(url ?? '')?.[1]

export const subprotocol = 'ocpp1.6'
export const speaksOcpp = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((word) => word.trim() === subprotocol)

/** By which security profile somebody comes, and with whose certificate. */
export type Entrance = {
  profile: OcppProfile
  certificateName: string | undefined
  /** SHA-256 of the certificate, in hex. */
  fingerprint: string | undefined
}
export function entranceOf(socket: Duplex): Entrance {
  if (!(socket instanceof TLSSocket)) return { profile: 1, certificateName: undefined, fingerprint: undefined }
  // Without a certificate of our devices' authority it is a line with TLS and no more.
  if (!socket.authorized) return { profile: 2, certificateName: undefined, fingerprint: undefined }
  // The subject is missing in a certificate that names nobody.
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

/** The password of `Basic`, if its user is the charge point itself. It may hold any bytes. */
function passwordOf(authorization: string | undefined, id: string): Buffer | undefined {
  const given = /^ *basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization ?? '')?.[1]
  const bytes = Buffer.from(given ?? '', 'base64')
  const user = Buffer.from(`${id}:`)
  return bytes.subarray(0, user.length).equals(user) ? bytes.subarray(user.length) : undefined
}

const noHash = '0'.repeat(64)
const isPassword = (password: Buffer, hash: string): boolean =>
  timingSafeEqual(createHash('sha256').update(password).digest(), Buffer.from(hash, 'hex'))

export type Verdict = 'welcome' | 'stranger' | 'downgrade' | 'certificate' | 'password'

/** By its own profile or a higher one: whoever has been given TLS never comes in without it again. */
export function judge(id: string, identity: Identity | null, entrance: Entrance, authorization?: string): Verdict {
  const password = passwordOf(authorization, id) ?? Buffer.alloc(0)
  // Compared with something in any case, so that an answer takes as long for one that does not exist.
  const right = isPassword(password, identity?.secretHash ?? noHash)
  const profile = identity?.ocppProfile ?? undefined
  if (profile === undefined) return 'stranger'
  if (entrance.profile < profile) return 'downgrade'
  // Signed by our authority is not enough: it may be revoked, or have ended because a successor was issued.
  const isGood = identity?.certificates?.some((good) => good === entrance.fingerprint) === true
  if (profile === 3) return entrance.certificateName === id && isGood ? 'welcome' : 'certificate'
  // One that shows a certificate nevertheless must not show another's.
  if (entrance.certificateName !== undefined && entrance.certificateName !== id) return 'certificate'
  return right ? 'welcome' : 'password'
}

const windowMs = 600_000
const maxOfOne = 5
const maxOfAddress = 100
const maxRemembered = 100_000

/**
 * Refusals in the last ten minutes, by address and by charge point and address together. Not by the charge point alone:
 * then anybody could lock it out.
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
    const known = this.#failed.get(key)
    return known !== undefined && known.untilMs > nowMs ? known.count : 0
  }

  /** When even that leaves too many, all are forgotten: memory is what must not run out. */
  #forgetOld(nowMs: number): void {
    for (const [key, { untilMs }] of this.#failed) if (untilMs <= nowMs) this.#failed.delete(key)
    if (this.#failed.size >= maxRemembered) this.#failed.clear()
  }
}
