import { createHash, generateKeyPairSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { authWay } from '@wattdeck/contract/product/device-auth.ts'
import { newBatchNo } from '../../../kit/bulk/batch-no.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { DeviceAuthority } from '../../../kit/crypto/device-ca.ts'
import { conflict, forbidden, invalid } from '../../../kit/http/refusal.ts'
import { zipped } from '../../../kit/bulk/sheets/zip-writer.ts'
import type { SignerClient } from '../../../kit/crypto/signer-client.ts'
import { readCsr } from '../../../kit/crypto/x509/csr.ts'
import * as store from './device-auth.store.ts'

const defaultDays = 730
const defaultOverlapDays = 7
const dayMs = 86_400_000

export type Terms = { days?: number | undefined; overlapDays?: number | undefined }
type Params = { authority: DeviceAuthority; signer: SignerClient; by: string; terms: Terms; way?: number }
type Certifying = Pick<Params, 'authority' | 'signer' | 'terms'>

/** No certificate outlives the authority that signed it. */
function daysOf({ notAfterMs }: DeviceAuthority, { days = defaultDays }: Terms): number {
  const remainingDays = Math.floor((notAfterMs - Date.now()) / dayMs)
  if (remainingDays < 1) throw invalid('设备证书颁发机构已到期')
  return Math.min(days, remainingDays)
}

/** The devices with these numbers. Only devices of the MQTT protocol can use a certificate. */
export async function certifiable(db: Db, deviceNos: readonly string[], field: string) {
  const devices = await store.lockDevices(db, deviceNos)
  const existingNumbers = new Set(devices.map((device) => device.device_no))
  const missing = deviceNos.filter((no) => !existingNumbers.has(no))
  if (missing.length > 0) throw invalid(`设备不存在：${missing.slice(0, 5).join('、')}`, field)
  const other = devices.filter((device) => device.adapter !== 'mqtt-json')
  if (other.length > 0)
    throw invalid(
      `设备的协议不使用证书：${other
        .slice(0, 5)
        .map((device) => device.device_no)
        .join('、')}`,
      field,
    )
  return devices
}

/** Certificates in the order of the devices, signed by the worker. */
async function certify(
  { authority, signer, terms }: Certifying,
  keys: { device: store.Device; publicKey: KeyObject }[],
) {
  const devices = keys.map(({ device, publicKey }) => ({
    deviceId: device.id,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }))
  const { certificates } = await signer.request('certify', { devices, days: daysOf(authority, terms) })
  return certificates
}

const noCertificate = (): never => {
  throw new Error('the signer omitted a certificate')
}

/** Generates keys and certificates. The private keys are in the reply and are not stored. */
export async function issueKeys(db: Db, devices: readonly store.Device[], params: Params) {
  const { authority, by, terms } = params
  const batchNo = newBatchNo('K')
  const entries = [{ name: 'ca.crt', content: [authority.cert] }]
  await endEarlier(db, devices, terms)
  const keys = devices.map((device) => ({ device, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }))
  const certificates = await certify(params, keys)
  for (const [at, { device, privateKey }] of keys.entries()) {
    const { cert, ...signed } = certificates[at] ?? noCertificate()
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    await store.addCertificate(db, { device, batchNo, by, way: authWay.code.own, ...signed })
    entries.push({ name: `${device.device_no}/device.key`, content: [key] })
    entries.push({ name: `${device.device_no}/device.crt`, content: [cert] })
  }
  const archive = (await buffer(zipped(entries))).toString('base64')
  return { batchNo, count: devices.length, archive }
}

/** Signs a public key; the private key stays in the device. */
export async function issueByCsr(db: Db, device: store.Device, pem: string, params: Params) {
  const { authority, by, terms, way = authWay.code.own } = params
  const csr = readCsr(pem)
  if (csr === undefined) throw invalid('证书请求无效，或密钥强度不足（需P-256、P-384或RSA 2048位以上）', 'csr')
  if (csr.cn !== undefined && csr.cn !== device.wire_id)
    throw invalid(`证书请求的名称（CN）是${csr.cn.slice(0, 40)}，应为${device.wire_id}`, 'csr')
  const { publicKey } = csr
  await endEarlier(db, [device], terms)
  const [certificate] = await certify(params, [{ device, publicKey }])
  const { cert, ...signed } = certificate ?? noCertificate()
  const id = await store.addCertificate(db, {
    device,
    batchNo: newBatchNo('K'),
    by,
    way,
    ...signed,
  })
  return { id, certificate: cert, authority: authority.cert }
}

const endEarlier = (db: Db, devices: readonly store.Device[], { overlapDays }: Terms) =>
  store.endCertificates(
    db,
    devices.map((device) => device.id),
    overlapDays ?? defaultOverlapDays,
  )

/** A password of 160 bits in characters that every device can send, and the hash that is stored. */
export function newPassword(): { password: string; hash: string } {
  const password = randomBytes(20).toString('hex')
  return { password, hash: sha256(password) }
}
export const passwordHash = (password: string) => sha256(password)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Limit per model, so that a leaked key does not serve for a whole fleet at once. */
const maxEnrolledAnHour = 200

/**
 * A device without any certificate before, which presents the key of its model while its owner allows it. The refusal does not reveal which
 * condition failed.
 */
export async function enrolling(db: Db, deviceNo: string, key: string): Promise<store.Device> {
  const [device] = await store.lockDevices(db, [deviceNo])
  const expected = device && (await store.firstKeyOf(db, device))
  const expectedHash = Buffer.from(expected ?? '0'.repeat(64))
  const fits = timingSafeEqual(expectedHash, Buffer.from(sha256(key)))
  if (device?.adapter !== 'mqtt-json' || expected === undefined || !fits) throw forbidden()
  if ((await store.countEnrolled(db, device.device_type_id)) >= maxEnrolledAnHour)
    throw conflict('该型号一小时内登记的设备过多，请稍后再试')
  await store.endEnrol(db, device.id)
  return device
}
