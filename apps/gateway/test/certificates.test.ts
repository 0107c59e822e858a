import { afterEach, expect, it, vi } from 'vitest'
import { makeAuthority } from '../../server/src/kit/crypto/x509/certificate.ts'
import { watchCertificates } from '../src/certificates.ts'

afterEach(() => void vi.useRealTimers())

it('a gateway is ready until one of its certificates expires', () => {
  const [short, long] = [makeAuthority('short', 1), makeAuthority('long', 365)]
  const { areGood } = watchCertificates({
    ocpp: Buffer.from(short.cert),
    mqtt: Buffer.from(long.cert),
    none: undefined,
  })
  expect(areGood()).toBe(true)
  vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000 })
  expect(areGood()).toBe(false)
})
