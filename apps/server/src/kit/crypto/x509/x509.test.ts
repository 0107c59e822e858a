import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAuthority, makeCertificate, openIssuer, signCertificate } from './certificate.ts'
import { makeCrl } from './crl.ts'
import { readCsr } from './csr.ts'
import { fromPem, toPem } from './der.ts'

/** Verifies this code against OpenSSL, which brokers and devices use. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wattdeck-x509-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const path = (name: string) => join(folder, name)
function openssl(...args: string[]): string {
  try {
    return execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString()
  } catch (error) {
    return String((error as { stderr: Buffer }).stderr)
  }
}
function requestOf(key: readonly string[], subject: string, name: string): string {
  openssl('req', '-new', '-newkey', ...key, '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject)
  return readFileSync(path(`${name}.csr`), 'utf8')
}
const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']

describe('a certificate', () => {
  it('is valid for OpenSSL, also when OpenSSL created the authority', () => {
    const authorities = [makeAuthority('设备根证书', 3650), rsaAuthority()]
    for (const authority of authorities) {
      writeFileSync(path('ca.pem'), authority.cert)
      const issuer = openIssuer(authority)
      const csr = readCsr(requestOf(p256, '/O=Maker/CN=M00000001', 'device'))
      if (csr === undefined) throw new Error('the request was not read')
      const { cert, serial, fingerprint } = signCertificate({
        cn: 'M00000001',
        days: 30,
        issuer,
        publicKey: csr.publicKey,
      })
      writeFileSync(path('device.pem'), cert)
      writeFileSync(path('none.crl'), makeCrl(issuer, []))
      writeFileSync(path('some.crl'), makeCrl(issuer, [{ serial, atMs: Date.now() }]))
      const verify = (crl: string) =>
        openssl('verify', '-x509_strict', '-crl_check', '-CAfile', 'ca.pem', '-CRLfile', crl, 'device.pem')
      expect(verify('none.crl')).toContain('device.pem: OK')
      expect(verify('some.crl')).toContain('certificate revoked')
      const read = new X509Certificate(cert)
      expect(read.subject).toBe('CN=M00000001')
      expect(read.serialNumber.toLowerCase()).toBe(serial)
      expect(read.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(fingerprint)
    }
  })

  function rsaAuthority() {
    const usage = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign']
    const days = ['-days', '3650', '-subj', '/C=CN/O=Operator/CN=Devices', ...usage]
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'rsa.key', '-out', 'rsa.pem', ...days)
    return { cert: readFileSync(path('rsa.pem'), 'utf8'), key: readFileSync(path('rsa.key'), 'utf8') }
  }

  it('cannot be issued by an authority with the wrong key', () => {
    const [one, other] = [makeAuthority('a', 1), makeAuthority('b', 1)]
    expect(() => openIssuer({ cert: one.cert, key: other.key })).toThrow('do not belong together')
  })

  it('can be revoked in a list with thousands of entries', () => {
    const authority = makeAuthority('a', 10)
    const issuer = openIssuer(authority)
    const revoked = Array.from({ length: 3000 }, () => ({
      serial: makeCertificate({ cn: 'x', days: 1, issuer }).serial,
      atMs: Date.now(),
    }))
    writeFileSync(path('ca.pem'), authority.cert)
    writeFileSync(path('long.crl'), makeCrl(issuer, revoked))
    const text = openssl('crl', '-in', 'long.crl', '-noout', '-text')
    expect(text.match(/Serial Number/g)).toHaveLength(3000)
  })
})

describe('a request', () => {
  it('is read with its name and proven key, for strong kinds of keys only', () => {
    expect(readCsr(requestOf(p256, '/CN=M1', 'ec'))?.cn).toBe('M1')
    expect(readCsr(requestOf(['rsa:2048'], '/C=CN/CN=M2/O=x', 'rsa'))?.cn).toBe('M2')
    expect(readCsr(requestOf(['rsa:1024'], '/CN=M3', 'weak'))).toBeUndefined()
    expect(readCsr(requestOf(['ec', '-pkeyopt', 'ec_paramgen_curve:secp224r1'], '/CN=M4', 'short'))).toBeUndefined()
  })

  it('with any altered byte is refused without throwing', () => {
    const bytes = fromPem('CERTIFICATE REQUEST', requestOf(p256, '/CN=M1', 'victim'))
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 0x80]) {
        const altered = Buffer.from(bytes)
        altered.writeUInt8(altered.readUInt8(at) ^ bit, at)
        expect(readCsr(toPem('CERTIFICATE REQUEST', altered)), `byte ${at}`).toBeUndefined()
      }
      expect(readCsr(toPem('CERTIFICATE REQUEST', bytes.subarray(0, at)))).toBeUndefined()
    }
    for (const text of ['', 'x', '-----BEGIN CERTIFICATE REQUEST-----\n!\n-----END CERTIFICATE REQUEST-----'])
      expect(readCsr(text)).toBeUndefined()
  })
})
