import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { asFile, type DataOf, get, post } from '../kit/route.ts'
import { flag, id, idList, keyword, row, secret, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ImportSheet } from '../system/batch.ts'
import { deviceNumber } from './device-manage.ts'

export const credentialKind = codes({
  cert: { code: 'cert', label: '证书', tone: 'run' },
  password: { code: 'password', label: '口令', tone: 'link' },
})

export const authWay = codes({
  own: { code: 0, label: '一机一密' },
  type: { code: 1, label: '一型一密' },
})

export const credentialState = codes({
  waiting: { code: 0, label: '未激活', tone: 'book' },
  authenticated: { code: 1, label: '已认证', tone: 'ok' },
  revoked: { code: 2, label: '已吊销', tone: 'bad' },
})
export const credentialFlow = credentialState.flow({
  see: { from: ['waiting', 'authenticated'], to: 'authenticated' },
  revoke: { from: ['waiting', 'authenticated'], to: 'revoked' },
})

const menu = menuKey.deviceAuth
const module = '设备认证'

export const credentialList = defineList('/seeker/api/deviceAuth', {
  menu,
  module,
  fields: {
    deviceNo: f.shown('设备编号', { width: 130, object: { kind: 'device', id: 'deviceId' } }),
    state: f.code('认证状态', credentialState, { width: 90 }),
    kind: f.code('凭证类型', credentialKind, { width: 90 }),
    way: f.code('认证方式', authWay, { width: 90 }),
    keyText: f.shown('密钥', {
      width: 150,
      about: 'start and end of a certificate fingerprint; asterisks for a password',
    }),
    typeName: f.shown('型号', { width: 150 }),
    imei: f.shown('IMEI', { optional: true, width: 160 }),
    batchNo: f.shown('批次', { width: 150 }),
    validUntil: f.time('有效期至', { optional: true, width: 180, about: 'null: valid until revoked' }),
    firstSeenAt: f.time('首次认证', { optional: true, width: 180 }),
    lastSeenAt: f.time('最近认证', { optional: true, width: 110 }),
    address: f.shown('IP', {
      optional: true,
      width: 160,
      about: 'last source address, if the protocol provides it',
    }),
    ...f.owner,
    createdBy: f.shown('创建人', { width: 110, hidden: true }),
    createdAt: f.time('创建时间', { width: 180, hidden: true }),
    revokedBy: f.shown('吊销人', { optional: true, width: 110, hidden: true }),
    revokedAt: f.time('吊销时间', { optional: true, width: 180, hidden: true }),
    revokeReason: f.shown('吊销原因', { optional: true, width: 180, hidden: true }),
    deviceId: f.data(z.string()),
    fingerprint: f.data(z.string().nullable().describe('SHA-256 of the certificate, in hex')),
    ended: f.data(z.boolean().describe('its validity has expired')),
    checksPassword: f.data(z.boolean().describe('whether the device protocol checks a password')),
  },
  decided: [
    ['deviceNo', 'imei'],
    ['state', 'kind'],
    ['way', 'keyText'],
    ['typeName', 'batchNo'],
    ['lastSeenAt', 'firstSeenAt'],
    ['validUntil'],
    ['address'],
    ['siteName', 'agentName'],
  ],
  filter: {
    own: {
      deviceNo: { title: '设备编号开头', schema: keyword.describe('prefix of the number') },
      deviceTypeId: { schema: id },
      batchNo: { schema: keyword.describe('exact batch number') },
    },
    exact: ['state', 'kind', 'way'],
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type Credential = DataOf<typeof credentialList.routes.list>['rows'][number]

/** Longest time during which a device may enrol for its first certificate. */
export const maxEnrolHours = 72

/** Maximum devices in one certificate issue. */
export const maxIssued = 200
/** Pasted device numbers: one a line, or separated by commas. */
const deviceNumbers = z
  .string()
  .max(maxIssued * 34)
  .regex(/^[0-9A-Za-z]{4,32}(?:[\s,，;；]+[0-9A-Za-z]{4,32})*$/, '请输入正确的设备编号，每行一个')
  .transform((list) => [...new Set(list.split(/[\s,，;；]+/))])
  .refine((list) => list.length <= maxIssued, `一次最多${maxIssued}台设备`)

/** A key written into a device by its maker: too long to guess, in characters that every device can send. */
export const importedKey = /^[!-~]{16,40}$/

const request = z
  .string()
  .min(1, '请粘贴证书请求')
  .max(8000)
  .regex(/^[\x20-\x7E\r\n\t]*$/, '请粘贴PEM格式的证书请求')

const terms = {
  days: whole(1, 3650).optional().describe('default: two years'),
  overlapDays: whole(0, 90).optional().describe('how long existing certificates stay valid; default: 7 days'),
}

export const deviceAuth = {
  ...credentialList.routes,
  /** The capabilities of this installation; without an authority it cannot sign. */
  abilities: get('/seeker/api/deviceAuth/abilities', {
    access: { menu },
    data: row({ authority: z.string().nullable(), authorityUntil: time.nullable() }),
  }),
  types: get('/seeker/api/deviceAuth/types', {
    access: { menu },
    data: z.array(row({ id: z.string(), name: z.string(), code: z.string() })),
  }),
  /**
   * For devices that cannot create a key: keys and certificates in an archive, which is delivered once and never
   * stored.
   */
  issueKeys: post('/seeker/api/deviceAuth/issueKeys', {
    access: { menu, action: 'add' },
    audit: { module, does: '生成密钥和证书' },
    body: row({ deviceNos: deviceNumbers, ...terms }),
    data: row({ batchNo: z.string(), count: z.int(), archive: secret(4_000_000).describe('a zip archive, base64') }),
  }),
  /** For devices that keep their key and send a PKCS #10 request. */
  issueByCsr: post('/seeker/api/deviceAuth/issueByCsr', {
    access: { menu, action: 'add' },
    audit: { module, does: '按 CSR 签发证书' },
    body: row({
      deviceNo: deviceNumber,
      csr: request,
      ...terms,
    }),
    data: row({ id: z.string(), certificate: z.string(), authority: z.string() }),
  }),
  /** For protocols with a password. Shown once; the previous password becomes invalid. */
  setPassword: post('/seeker/api/deviceAuth/setPassword', {
    access: { menu, action: 'add' },
    audit: { module, does: '生成接入口令' },
    body: row({
      deviceNo: deviceNumber,
      plain: flag.optional().describe('an OCPP charge point without TLS; TLS is required by default'),
    }),
    data: row({ id: z.string(), password: secret(64) }),
  }),
  revoke: post('/seeker/api/deviceAuth/revoke', {
    access: { menu, action: 'edit' },
    audit: { module, does: '吊销设备凭证' },
    body: row({ ids: idList(), reason: text(100, '原因') }),
    data: row({ changed: z.int() }),
  }),
  /** The key shared by all devices of a model, shown once; the previous key becomes invalid. */
  typeKey: post('/seeker/api/deviceAuth/typeKey', {
    access: { menu, action: 'add', platform: true },
    audit: { module, does: '生成型号密钥' },
    body: row({ deviceTypeId: id }),
    data: row({ key: secret(64) }),
  }),
  /** Allows these devices to fetch their first certificate, each once, for a limited time. */
  allowEnrol: post('/seeker/api/deviceAuth/allowEnrol', {
    access: { menu, action: 'add' },
    audit: { module, does: '允许设备登记' },
    body: row({ deviceNos: deviceNumbers, hours: whole(1, maxEnrolHours) }),
    data: row({ changed: z.int() }),
  }),
  importTemplate: get('/seeker/api/deviceAuth/importTemplate', { access: { menu, action: 'import' }, ...asFile }),
  /** Keys written into devices by their makers: encrypted on import, and never shown. */
  importSheet: post('/seeker/api/deviceAuth/import', {
    access: { menu, action: 'import' },
    audit: { module, does: '上传密钥表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    data: ImportSheet,
  }),
  /**
   * Called by a device: it fetches its first certificate with the key of its model, once, while its owner allows it.
   */
  enrol: post('/seeker/api/deviceAuth/enrol', {
    access: 'public',
    audit: { module, does: '设备领取首张证书' },
    body: row({ deviceNo: deviceNumber, key: secret(64), csr: request }),
    data: row({ certificate: z.string(), authority: z.string() }),
  }),
}
