import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Opaque tokens: the client has the token, the database only its hash. */
export const newToken = () => randomBytes(32).toString('base64url')
export const sha256 = (value: string) => createHash('sha256').update(value).digest()
export const newSmsCode = () => String(randomInt(0, 1_000_000)).padStart(6, '0')

const passwordLetters = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!@#%*+']
/** A first password that meets the policy and can be read aloud: no characters that look alike. */
export function newPassword(): string {
  const pick = (letters: string) => letters[randomInt(letters.length)] ?? ''
  const all = passwordLetters.join('')
  const picked = [...passwordLetters.map(pick), ...Array.from({ length: 8 }, () => pick(all))]
  for (let place = picked.length - 1; place > 0; place--) {
    const other = randomInt(place + 1)
    ;[picked[place], picked[other]] = [picked[other] ?? '', picked[place] ?? '']
  }
  return picked.join('')
}
