import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Time-based one-time passwords: RFC 6238 with SHA-1, six digits and 30 seconds, as authenticator apps support it. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepSeconds = 30

export const newTotpSecret = () => base32(randomBytes(20))

export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

export const totpStep = (atMs: number) => Math.floor(atMs / 1000 / stepSeconds)

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step of a code, with a tolerance of one step of clock difference. Returns undefined for a wrong or used code. */
export function matchingStep(secret: string, code: string, atMs: number, usedUpTo: number): number | undefined {
  const now = totpStep(atMs)
  return [now, now - 1, now + 1].find(
    (step) => step > usedUpTo && timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  )
}

export const totpUri = (secret: string, loginName: string) =>
  `otpauth://totp/Wattdeck:${encodeURIComponent(loginName)}?secret=${secret}&issuer=Wattdeck`
