import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeCredential } from '../../../../test/fixtures/credentials.ts'
import { exportSheet } from '../../../../test/fixtures/export-sheet.ts'
import { makeDevice, makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { unpackZip } from '../../../../test/harness/unpack-zip.ts'
import { makeAuthority } from '../../../kit/crypto/x509/certificate.ts'

let api: TestApi
let fixture: Fixture
let models: Models
let keeper: Actor
let folder: string
const authority = makeAuthority('设备证书', 3650)
const menus = ['4', '4.1', '4.1.1', '4.1.5']
beforeAll(async () => {
  api = await startApi({ deviceCa: authority })
  fixture = await makeFixture(api)
  models = await makeModels(api)
  keeper = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_auth', menus })
  folder = mkdtempSync(join(tmpdir(), 'wattdeck-auth-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let serial = 0
async function device(typeId = models.mqtt, organiseId = fixture.green.id) {
  const deviceNo = `AU${String(++serial).padStart(6, '0')}`
  return { deviceNo, id: await makeDevice(api, { organiseId, typeId, deviceNo }) }
}
function csrOf(cn: string): string {
  const args = ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${cn}`]
  execFileSync('openssl', [...args, '-keyout', 'd.key', '-out', 'd.csr'], { cwd: folder, stdio: 'ignore' })
  return readFileSync(join(folder, 'd.csr'), 'utf8')
}
const issue = (deviceNos: string, more: object = {}, { token } = keeper) =>
  api.call(token, deviceAuth.issueKeys, { body: { deviceNos, ...more } as never })
const rowsOf = async (deviceNo: string, { token } = keeper) =>
  (await api.call(token, deviceAuth.list, { query: { deviceNo } as never })).data.rows
const revoke = (ids: string[], { token } = keeper) =>
  api.call(token, deviceAuth.revoke, { body: { ids, reason: '设备被盗' } })
const barred = async (id: string) =>
  (await api.sql<{ barred: boolean }>('select barred from device where id = $1', [id]))[0]?.barred

describe('a stranger', () => {
  it('neither sees nor revokes credentials of another organisation, nor creates one for its devices', async () => {
    const own = await device()
    await issue(own.deviceNo)
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_auth', menus })
    expect(await rowsOf(own.deviceNo, other)).toEqual([])
    const [row] = await rowsOf(own.deviceNo)
    expect((await revoke([row?.id ?? ''], other)).status).toBe(404)
    expect(await issue(own.deviceNo, {}, other)).toMatchObject({ status: 422, message: `设备不存在：${own.deviceNo}` })
    const body = { deviceNo: own.deviceNo, csr: csrOf(own.deviceNo) }
    expect((await api.call(other.token, deviceAuth.issueByCsr, { body })).status).toBe(422)
  })
})

describe('a file of credentials', () => {
  it('has the whole fingerprint, of which the page shows only the ends', async () => {
    const own = await device()
    await makeCredential(api, own.id)
    const [row] = await rowsOf(own.deviceNo)
    expect(row?.keyText).toBe(`${row?.fingerprint?.slice(0, 8)}…${row?.fingerprint?.slice(-4)}`)
    const columns = ['deviceNo', 'keyText', 'kind', 'way', 'state']
    const query = `deviceNo=${own.deviceNo}`
    const { token } = fixture.green.admin
    expect(await exportSheet(api, token, { route: deviceAuth.exportList, columns, query })).toEqual([
      ['设备编号', '密钥', '凭证类型', '认证方式', '认证状态'],
      [own.deviceNo, row?.fingerprint, '证书', '一机一密', '未激活'],
    ])
  })
})

describe('generated keys', () => {
  it('are returned in an archive and stored nowhere', async () => {
    const [one, other] = [await device(), await device()]
    const { data } = await issue(`${one.deviceNo}\n${other.deviceNo}`, { days: '30' })
    expect(data.count).toBe(2)
    const files = unpackZip(Buffer.from(data.archive, 'base64'))
    expect([...files.keys()].toSorted()).toEqual(
      [
        'ca.crt',
        ...[one, other].flatMap(({ deviceNo }) => [`${deviceNo}/device.crt`, `${deviceNo}/device.key`]),
      ].toSorted(),
    )
    const cert = new X509Certificate(files.get(`${one.deviceNo}/device.crt`) ?? '')
    expect(cert.subject).toBe(`CN=${one.deviceNo}`)
    expect(cert.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
    const [row] = await rowsOf(one.deviceNo)
    expect(row).toMatchObject({ kind: 'cert', way: 0, state: 0, batchNo: data.batchNo, firstSeenAt: null })
    expect(row?.fingerprint).toBe(cert.fingerprint256.replaceAll(':', '').toLowerCase())
    expect(row?.keyText).toBe(`${row?.fingerprint?.slice(0, 8)}…${row?.fingerprint?.slice(-4)}`)
    const dump = await api.sql<{ text: string }>(
      `select t::text as text from audit_log t union all select t::text from device_credential t union all select t::text from idempotency_key t`,
    )
    expect(dump.filter(({ text }) => text.includes('PRIVATE KEY'))).toEqual([])
  })

  it('are added to the existing certificate, which ends after the overlap', async () => {
    const own = await device()
    await issue(own.deviceNo, { days: '365' })
    await issue(own.deviceNo, { days: '365', overlapDays: '3' })
    const [later, earlier] = await rowsOf(own.deviceNo)
    const daysLeft = (text: string | null | undefined) =>
      (Date.parse(`${(text ?? '').replace(' ', 'T')}+08:00`) - Date.now()) / 86_400_000
    expect(daysLeft(earlier?.validUntil)).toBeCloseTo(3, 1)
    expect(daysLeft(later?.validUntil)).toBeCloseTo(365, 1)
    expect(earlier?.state).toBe(0)
    expect(await barred(own.id)).toBe(false)
  })

  it('are generated only for devices that connect with a certificate', async () => {
    const dny = await device(models.dny)
    expect(await issue(dny.deviceNo)).toMatchObject({ status: 422, message: `设备的协议不使用证书：${dny.deviceNo}` })
  })
})

describe('a certificate request', () => {
  it('is signed if it belongs to the device', async () => {
    const own = await device()
    const sign = (csr: string) =>
      api.call(keeper.token, deviceAuth.issueByCsr, { body: { deviceNo: own.deviceNo, csr } })
    const { data } = await sign(csrOf(own.deviceNo))
    expect(new X509Certificate(data.certificate).subject).toBe(`CN=${own.deviceNo}`)
    expect(data.authority).toBe(authority.cert)
    expect((await sign(csrOf('SOMEBODY'))).message).toContain('应为')
    expect((await sign('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----')).status).toBe(
      422,
    )
  })
})

describe('a password', () => {
  it('is shown once and stored as a hash; a new one ends the previous one', async () => {
    const own = await device()
    await api.sql("update device set adapter = 'ocpp16' where id = $1", [own.id])
    const set = () => api.call(keeper.token, deviceAuth.setPassword, { body: { deviceNo: own.deviceNo } })
    await set()
    const { data } = await set()
    const [row, before] = await rowsOf(own.deviceNo)
    expect(row).toMatchObject({ kind: 'password', state: 0, keyText: '********', fingerprint: null, validUntil: null })
    expect(before).toMatchObject({ state: 2, revokeReason: '已生成新口令' })
    const [stored] = await api.sql<{ password_hash: string }>(
      'select password_hash from device_credential where id = $1',
      [data.id],
    )
    expect(stored?.password_hash).toBe(createHash('sha256').update(data.password).digest('hex'))
    expect(await barred(own.id)).toBe(false)
  })

  it('is refused for a device whose protocol does not check one', async () => {
    const own = await device()
    const body = { deviceNo: own.deviceNo }
    for (const adapter of ['mqtt-json', 'dny', 'ykc']) {
      await api.sql('update device set adapter = $2 where id = $1', [own.id, adapter])
      const reply = await api.call(keeper.token, deviceAuth.setPassword, { body })
      expect(reply, adapter).toMatchObject({ status: 422, message: '设备的协议不使用口令' })
    }
    expect(await rowsOf(own.deviceNo)).toEqual([])
  })

  it('never removes TLS from a charge point that has it', async () => {
    const own = await device()
    await api.sql("update device set adapter = 'ocpp16' where id = $1", [own.id])
    const set = (plain: boolean) =>
      api.call(keeper.token, deviceAuth.setPassword, {
        body: { deviceNo: own.deviceNo, plain: String(plain) } as never,
      })
    const profile = async () =>
      (await api.sql<{ ocpp_profile: number }>('select ocpp_profile from device where id = $1', [own.id]))[0]
    expect([(await set(true)).status, await profile()]).toEqual([200, { ocpp_profile: 1 }])
    expect([(await set(false)).status, await profile()]).toEqual([200, { ocpp_profile: 2 }])
    expect(await set(true)).toMatchObject({ status: 409, message: '设备已要求 TLS 连接，不能改为不加密连接' })
    await api.sql('update device set ocpp_profile = 3 where id = $1', [own.id])
    expect([(await set(false)).status, await profile()]).toEqual([200, { ocpp_profile: 3 }])
    expect((await set(true)).status).toBe(409)
  })
})

describe('revoking', () => {
  it('locks the device out when no valid credential is left, and a new one lets it in again', async () => {
    const own = await device()
    await issue(own.deviceNo)
    await issue(own.deviceNo)
    const [later, earlier] = await rowsOf(own.deviceNo)
    expect((await revoke([earlier?.id ?? ''])).data).toEqual({ changed: 1 })
    expect(await barred(own.id)).toBe(false)
    expect((await revoke([later?.id ?? ''])).status).toBe(200)
    expect(await barred(own.id)).toBe(true)
    expect(await revoke([later?.id ?? ''])).toMatchObject({ status: 409 })
    expect((await rowsOf(own.deviceNo))[0]).toMatchObject({ state: 2, revokeReason: '设备被盗' })
    await issue(own.deviceNo)
    expect(await barred(own.id)).toBe(false)
    const jobs = await api.sql<{ data: { deviceIds: string[] } }>(
      "select data from pgboss.job where name = 'device.cut'",
    )
    expect(jobs.filter(({ data }) => data.deviceIds.includes(own.id))).toHaveLength(2)
  })

  it('happens when the device is removed', async () => {
    const own = await device()
    await issue(own.deviceNo)
    await api.sql('update device set status = 0 where id = $1', [own.id])
    expect((await api.call(keeper.token, deviceManage.remove, { body: { ids: [own.id] } })).status).toBe(200)
    const [row] = await api.sql('select state, revoke_reason from device_credential where device_id = $1', [own.id])
    expect(row).toEqual({ state: 2, revoke_reason: '设备已删除' })
  })
})

describe('the key of a model', () => {
  const enrol = (deviceNo: string, key: string) =>
    api.call(undefined, deviceAuth.enrol, { body: { deviceNo, key, csr: csrOf(deviceNo) } })

  const allow = (deviceNo: string, token = keeper.token) =>
    api.call(token, deviceAuth.allowEnrol, { body: { deviceNos: deviceNo, hours: '24' } as never })

  it('enrols only devices whose owner allows it, and notifies the owner of each enrolment', async () => {
    const { data } = await api.call(fixture.platform.root.token, deviceAuth.typeKey, {
      body: { deviceTypeId: models.mqtt },
    })
    const own = await device()
    const stranger = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_enrol', menus })
    expect((await enrol(own.deviceNo, data.key)).status).toBe(403)
    // Only a user of its owner can open enrolment, which expires by itself.
    expect((await allow(own.deviceNo, stranger.token)).status).toBe(422)
    expect((await allow(own.deviceNo)).status).toBe(200)
    await api.sql("update device set enrol_until = now() - interval '1 second' where device_no = $1", [own.deviceNo])
    expect((await enrol(own.deviceNo, data.key)).status).toBe(403)
    expect((await allow(own.deviceNo)).status).toBe(200)
    expect((await enrol(own.deviceNo, data.key)).status).toBe(200)
    const notifications = await api.sql('select title from notification where user_id = $1 and body like $2', [
      keeper.id,
      `%${own.deviceNo}%`,
    ])
    expect(notifications).toEqual([{ title: '设备已领取首张证书' }])
    expect(await allow(own.deviceNo)).toMatchObject({ status: 409 })
  })

  it('enrols two hundred devices of a model per hour, and no more', async () => {
    const { data } = await api.call(fixture.platform.root.token, deviceAuth.typeKey, {
      body: { deviceTypeId: models.mqtt },
    })
    const [other, own] = [await device(), await device()]
    await api.sql(
      `insert into device_credential (organise_id, device_id, kind, way, batch_no, fingerprint, serial, expires_at, valid_until, created_by)
       select $2, id, 'cert', 1, 'K1', encode(sha256(n::text::bytea), 'hex'), lpad(to_hex(n), 32, '0'), now() + interval '1 year',
         now() + interval '1 year', '设备' from device, generate_series(1, 200) n where device_no = $1`,
      [other.deviceNo, fixture.green.id],
    )
    await allow(own.deviceNo)
    expect(await enrol(own.deviceNo, data.key)).toMatchObject({ status: 409 })
    await api.sql("update device_credential set created_at = now() - interval '2 hours' where way = 1")
    expect((await enrol(own.deviceNo, data.key)).status).toBe(200)
  })

  it('issues the first certificate of a device, and never a second', async () => {
    const body = { deviceTypeId: models.mqtt }
    expect((await api.call(keeper.token, deviceAuth.typeKey, { body })).status).toBe(403)
    const { data } = await api.call(fixture.platform.root.token, deviceAuth.typeKey, { body })
    const own = await device()
    await allow(own.deviceNo)
    expect((await enrol(own.deviceNo, 'x'.repeat(40))).status).toBe(403)
    expect((await enrol('NOBODY01', data.key)).status).toBe(403)
    const { status, data: enrolment } = await enrol(own.deviceNo, data.key)
    expect(status).toBe(200)
    expect(new X509Certificate(enrolment.certificate).subject).toBe(`CN=${own.deviceNo}`)
    expect(await rowsOf(own.deviceNo)).toMatchObject([{ way: 1, createdBy: '设备' }])
    // The same after the first one was revoked: an operator has to check the device.
    expect((await enrol(own.deviceNo, data.key)).status).toBe(403)
    const [row] = await rowsOf(own.deviceNo)
    await revoke([row?.id ?? ''])
    expect((await enrol(own.deviceNo, data.key)).status).toBe(403)
    const [log] = await api.sql('select organise_id, user_id, result from audit_log where content = $1', [
      `设备领取首张证书：${own.deviceNo}`,
    ])
    expect(log).toEqual({ organise_id: fixture.green.id, user_id: null, result: 1 })
  })

  it('is refused for devices of another model and for disabled devices', async () => {
    const { data } = await api.call(fixture.platform.root.token, deviceAuth.typeKey, {
      body: { deviceTypeId: models.dny },
    })
    const own = await device()
    expect((await enrol(own.deviceNo, data.key)).status).toBe(403)
  })
})

describe('without an authority', () => {
  it('nothing is signed, the page shows it, and everything else works', async () => {
    const bare = await startApi()
    const other = await makeFixture(bare)
    const { token } = other.platform.root
    const { data } = await bare.call(token, deviceAuth.abilities)
    expect(data).toEqual({ authority: null, authorityUntil: null })
    const body = { deviceNos: 'AU000001' } as never
    expect(await bare.call(token, deviceAuth.issueKeys, { body })).toMatchObject({
      status: 409,
      message: '未配置设备证书颁发机构，不能签发证书',
    })
    expect((await bare.call(token, deviceAuth.list)).status).toBe(200)
    expect((await api.call(keeper.token, deviceAuth.abilities)).data.authority).toBe('设备证书')
  })
})
