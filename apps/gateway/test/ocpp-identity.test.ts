import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { type Actor, makePerson, makeFixture } from '../../server/test/harness/people.ts'
import { freePort, startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { makeCertificate, openIssuer } from '../../server/src/kit/crypto/x509/certificate.ts'
import { openDeviceCa } from '../../../tools/ops/device-ca.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { basic, attemptHandshake } from './ocpp-charge-point.ts'

/** Admission of OCPP charge points. */
let api: TestApi
let keeper: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>
let tlsPort: number
const folder = mkdtempSync(join(tmpdir(), 'wattdeck-ocpp-'))
const ca = openDeviceCa(folder)

beforeAll(async () => {
  api = await startApi()
  const fixture = await makeFixture(api)
  keeper = await makePerson(api, {
    organiseId: fixture.green.id,
    loginName: 'green_keys',
    menus: ['4', '4.1', menuKey.deviceAuth],
  })
  identities = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 0, mqtt: 0, ocpp: 24 })
  const given = (profile: number | null, from: number, to: number) =>
    api.sql('update device set ocpp_profile = $1 where device_no = any($2)', [
      profile,
      identities.slice(from, to).map(({ deviceNo }) => deviceNo),
    ])
  await given(2, 10, 14)
  await given(3, 14, 18)
  await given(null, 18, 19)
  worker = await startWorkerProcess(api.config)
  tlsPort = await freePort()
  gateway = await startGatewayProcess(api.config, {
    OCPP_TLS_PORT: String(tlsPort),
    OCPP_TLS_CERT: join(folder, 'server.pem'),
    OCPP_TLS_KEY: join(folder, 'server.key'),
    OCPP_TLS_CA: join(folder, 'devices-ca.pem'),
  })
})
afterAll(async () => {
  await gateway.stop()
  await worker.stop()
  rmSync(folder, { recursive: true })
})

const noOf = (place: number) => identities[place]?.deviceNo ?? ''
const pass = (place: number, user = noOf(place)) => basic(user, identities[place]?.password ?? '')
const plain = (path: string) => `ws://127.0.0.1:${gateway.ocppPort}${path}`
const secure = (path: string) => `wss://127.0.0.1:${tlsPort}${path}`
const ocpp = (place: number) => `/ocpp/${noOf(place)}`

/** Registers a certificate like the console does. */
const register = async (place: number, pem: string | undefined): Promise<string> => {
  const { fingerprint256, serialNumber } = new X509Certificate(pem ?? '')
  const [credential] = await api.sql<{ id: string }>(
    `insert into device_credential (organise_id, device_id, kind, batch_no, fingerprint, serial, expires_at, valid_until, created_by)
     select organise_id, id, 'cert', 'K1', $2, $3, now() + interval '1 year', now() + interval '1 year', 'test'
     from device where device_no = $1 returning id`,
    [noOf(place), fingerprint256.replaceAll(':', '').toLowerCase(), serialNumber.toLowerCase().padStart(32, '0')],
  )
  return credential?.id ?? ''
}

describe('password', () => {
  it('admits its own charge point only', async () => {
    const passed: string[] = []
    for (const own of [0, 1, 2])
      for (const claimed of [0, 1, 2])
        for (const user of [noOf(own), noOf(claimed)])
          if ((await attemptHandshake(plain(ocpp(claimed)), { authorization: pass(own, user) })) === 'open')
            passed.push(`${own} as ${claimed}`)
    expect([...new Set(passed)]).toEqual(['0 as 0', '1 as 1', '2 as 2'])
  })

  it('is required, and refusals do not reveal which charge points exist', async () => {
    expect(await attemptHandshake(plain(ocpp(4)), {})).toBe('401')
    expect(await attemptHandshake(plain('/ocpp/NOBODY01'), { authorization: basic('NOBODY01', 'x') })).toBe('401')
    expect(await attemptHandshake(plain(ocpp(4)), { authorization: 'Bearer x' })).toBe('401')
    // Without a security profile it may not connect.
    expect(await attemptHandshake(plain(ocpp(18)), { authorization: pass(18) })).toBe('401')
  })

  it('cannot be guessed: after five refusals its address must wait, for this charge point only', async () => {
    const wrong = () => attemptHandshake(plain(ocpp(5)), { authorization: basic(noOf(5), 'wrong') })
    for (let count = 0; count < 5; count++) expect(await wrong()).toBe('401')
    expect(await wrong()).toBe('429')
    expect(await attemptHandshake(plain(ocpp(5)), { authorization: pass(5) })).toBe('429')
    expect(await attemptHandshake(plain(ocpp(6)), { authorization: pass(6) })).toBe('open')
  })
})

describe('security profile', () => {
  const tls = { ca: ca.platformCa }
  const certificate = (place: number) => ({ ...tls, ...ca.issue([noOf(place)]).get(noOf(place)) })

  it('1 accepts a password, with or without TLS', async () => {
    expect(await attemptHandshake(plain(ocpp(7)), { authorization: pass(7) })).toBe('open')
    expect(await attemptHandshake(secure(ocpp(7)), { ...tls, authorization: pass(7) })).toBe('open')
    expect(await attemptHandshake(secure(ocpp(7)), tls)).toBe('401')
  })

  it('2 requires TLS and a password, without downgrade', async () => {
    expect(await attemptHandshake(plain(ocpp(10)), { authorization: pass(10) })).toBe('401')
    expect(await attemptHandshake(secure(ocpp(10)), { ...tls, authorization: pass(10) })).toBe('open')
    expect(await attemptHandshake(secure(ocpp(10)), { ...tls, authorization: pass(11) })).toBe('401')
    expect(await attemptHandshake(secure(ocpp(11)), { ...certificate(12), authorization: pass(11) })).toBe('401')
    expect(await attemptHandshake(secure(ocpp(11)), { ...certificate(11), authorization: pass(11) })).toBe('open')
  })

  it('3 requires the certificate of the charge point, without downgrade', async () => {
    expect(await attemptHandshake(plain(ocpp(14)), { authorization: pass(14) })).toBe('401')
    expect(await attemptHandshake(secure(ocpp(14)), { ...tls, authorization: pass(14) })).toBe('401')
    expect(await attemptHandshake(secure(ocpp(14)), { ...certificate(15), authorization: pass(14) })).toBe('401')
    await register(14, certificate(14).cert)
    expect(await attemptHandshake(secure(ocpp(14)), certificate(14))).toBe('open')
    const foreignFolder = mkdtempSync(join(tmpdir(), 'wattdeck-foreign-'))
    const foreign = openDeviceCa(foreignFolder)
      .issue([noOf(15)])
      .get(noOf(15))
    expect(await attemptHandshake(secure(ocpp(15)), { ...tls, ...foreign })).toBe('401')
    rmSync(foreignFolder, { recursive: true })
  })
})

describe('certificate of a charge point', () => {
  const tls = { ca: ca.platformCa }
  const signed = (place: number) => makeCertificate({ cn: noOf(place), days: 30, issuer: openIssuer(ca.authority) })

  it('is refused once it is revoked, while its successor is accepted', async () => {
    const [old, successor] = [signed(16), signed(16)]
    const id = await register(16, old.cert)
    await register(16, successor.cert)
    expect(await attemptHandshake(secure(ocpp(16)), { ...tls, ...old })).toBe('open')
    const body = { ids: id, reason: '密钥泄露' } as never
    expect((await api.call(keeper.token, deviceAuth.revoke, { body })).status).toBe(200)
    const refused = await until(async () => {
      const answer = await attemptHandshake(secure(ocpp(16)), { ...tls, ...old })
      return answer === 'open' ? undefined : answer
    })
    expect(refused).toBe('401')
    expect(await attemptHandshake(secure(ocpp(16)), { ...tls, ...successor })).toBe('open')
  })

  it('is refused when it is signed but not registered', async () => {
    expect(await attemptHandshake(secure(ocpp(17)), { ...tls, ...signed(17) })).toBe('401')
  })
})

describe('handshake', () => {
  it('refuses other paths and other protocols', async () => {
    for (const path of [
      '/',
      '/ocpp',
      '/ocpp/',
      '/ocpp/%',
      '/ocpp/%41BCD',
      '/ocpp/a/b',
      `${ocpp(20)}/x`,
      `/x${ocpp(20)}`,
    ])
      expect(await attemptHandshake(plain(path), { authorization: pass(20) }), path).toBe('404')
    expect(await attemptHandshake(plain(ocpp(20)), { protocol: 'ocpp2.0.1', authorization: pass(20) })).toBe('400')
    expect((await fetch(`http://127.0.0.1:${gateway.ocppPort}${ocpp(20)}`)).status).toBe(426)
  })

  it('answers 503 while no worker can identify the charge point', async () => {
    await worker.stop()
    expect(await attemptHandshake(plain(ocpp(21)), { authorization: pass(21) })).toBe('503')
    worker = await startWorkerProcess(api.config)
    expect(await attemptHandshake(plain(ocpp(21)), { authorization: pass(21) })).toBe('open')
    const metrics = await (await fetch(`${gateway.admin}/metrics`)).text()
    expect(metrics).toMatch(/gateway_ocpp_refused_total{reason="downgrade"} [1-9]/)
  })
})
