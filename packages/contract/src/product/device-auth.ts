import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get, post } from '../kit/route.ts'
import { flag, id, idList, keyword, row, secret, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
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

export type Credential = z.infer<typeof Credential>
export const Credential = row({
  id: z.string(),
  deviceId: z.string(),
  deviceNo: z.string(),
  imei: z.string().nullable(),
  typeName: z.string(),
  kind: credentialKind.schema,
  way: authWay.schema,
  keyText: z.string().describe('the ends of the fingerprint of a certificate; stars for a password'),
  fingerprint: z.string().nullable().describe('SHA-256 of the certificate, in hex'),
  batchNo: z.string(),
  state: credentialState.schema,
  validUntil: time.nullable().describe('null: until it is revoked'),
  ended: z.boolean().describe('its time is over'),
  firstSeenAt: time.nullable(),
  lastSeenAt: time.nullable(),
  address: z.string().nullable().describe('where the device connected from last, where its protocol tells'),
  ...ownerNames,
  createdBy: z.string(),
  createdAt: time,
  revokedBy: z.string().nullable(),
  revokedAt: time.nullable(),
  revokeReason: z.string().nullable(),
  checksPassword: z.boolean().describe('whether the protocol of the device asks for a password'),
})

/** What the list shows and a file holds. */
export const credentialColumns = {
  deviceNo: '设备编号',
  imei: 'IMEI',
  keyText: '密钥',
  kind: '凭证类型',
  way: '认证方式',
  typeName: '型号',
  batchNo: '批次',
  state: '认证状态',
  validUntil: '有效期至',
  firstSeenAt: '首次认证',
  lastSeenAt: '最近认证',
  address: 'IP',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  createdBy: '创建人',
  createdAt: '创建时间',
  revokedBy: '吊销人',
  revokedAt: '吊销时间',
  revokeReason: '吊销原因',
} as const

/** So long a device may be open for its first certificate. */
export const maxEnrolHours = 72

/** Most devices that certificates are made for at once. */
export const maxIssued = 200
/** Numbers as people paste them: one a line, or with commas between. */
const deviceNumbers = z
  .string()
  .max(maxIssued * 34)
  .regex(/^[0-9A-Za-z]{4,32}(?:[\s,，;；]+[0-9A-Za-z]{4,32})*$/, '请输入正确的设备编号，每行一个')
  .transform((list) => [...new Set(list.split(/[\s,，;；]+/))])
  .refine((list) => list.length <= maxIssued, `一次最多${maxIssued}台设备`)

const request = z
  .string()
  .min(1, '请粘贴证书请求')
  .max(8000)
  .regex(/^[\x20-\x7E\r\n\t]*$/, '请粘贴PEM格式的证书请求')

const terms = {
  days: whole(1, 3650).optional().describe('left out: two years'),
  overlapDays: whole(0, 90).optional().describe('how long certificates that are there stay good; left out: 7 days'),
}

const menu = menuKey.deviceAuth
const module = '设备认证'

export const deviceAuth = {
  list: get('/seeker/api/deviceAuth/pageList', {
    access: { menu },
    query: PageQuery.extend({
      deviceNo: keyword.optional().describe('how the number begins'),
      deviceTypeId: id.optional(),
      kind: credentialKind.wire.optional(),
      way: authWay.wire.optional(),
      state: credentialState.wire.optional(),
      batchNo: keyword.optional().describe('exactly this batch'),
      ...ownerIds,
    }),
    data: page(Credential),
  }),
  /** What this installation can do: without an authority nothing is signed. */
  abilities: get('/seeker/api/deviceAuth/abilities', {
    access: { menu },
    data: row({ authority: z.string().nullable(), authorityUntil: time.nullable() }),
  }),
  types: get('/seeker/api/deviceAuth/types', {
    access: { menu },
    data: z.array(row({ id: z.string(), name: z.string(), code: z.string() })),
  }),
  /** For devices that cannot make a key: keys and certificates in an archive that is handed over once and kept nowhere. */
  issueKeys: post('/seeker/api/deviceAuth/issueKeys', {
    access: { menu, action: 'add' },
    audit: { module, does: '生成密钥和证书' },
    body: row({ deviceNos: deviceNumbers, ...terms }),
    data: row({ batchNo: z.string(), count: z.int(), archive: secret(4_000_000).describe('a zip archive, base64') }),
  }),
  /** For a key that the device keeps: it asks by a PKCS #10 request. */
  issueByCsr: post('/seeker/api/deviceAuth/issueByCsr', {
    access: { menu, action: 'add' },
    audit: { module, does: '按请求签发证书' },
    body: row({
      deviceNo: deviceNumber,
      csr: request,
      ...terms,
    }),
    data: row({ id: z.string(), certificate: z.string(), authority: z.string() }),
  }),
  /** Of protocols that ask for a password. Shown once; the one before it is no longer good. */
  setPassword: post('/seeker/api/deviceAuth/setPassword', {
    access: { menu, action: 'add' },
    audit: { module, does: '生成设备口令' },
    body: row({
      deviceNo: deviceNumber,
      plain: flag.optional().describe('an OCPP charge point that cannot do TLS; left out: it must'),
    }),
    data: row({ id: z.string(), password: secret(64) }),
  }),
  revoke: post('/seeker/api/deviceAuth/revoke', {
    access: { menu, action: 'edit' },
    audit: { module, does: '吊销设备凭证' },
    body: row({ ids: idList(), reason: text(100, '原因') }),
    data: row({ changed: z.int() }),
  }),
  /** A key that all devices of a model come with, shown once; the one before it is no longer good. */
  typeKey: post('/seeker/api/deviceAuth/typeKey', {
    access: { menu, action: 'add', platform: true },
    audit: { module, does: '生成型号密钥' },
    body: row({ deviceTypeId: id }),
    data: row({ key: secret(64) }),
  }),
  /** For a limited time these devices may fetch their first certificate, each once. */
  allowEnrol: post('/seeker/api/deviceAuth/allowEnrol', {
    access: { menu, action: 'add' },
    audit: { module, does: '允许设备登记' },
    body: row({ deviceNos: deviceNumbers, hours: whole(1, maxEnrolHours) }),
    data: row({ changed: z.int() }),
  }),
  /** Called by a device: with the key of its model it fetches its first certificate, once, while its owner allows it. */
  enrol: post('/seeker/api/deviceAuth/enrol', {
    access: 'public',
    audit: { module, does: '设备领取首张证书' },
    body: row({ deviceNo: deviceNumber, key: secret(64), csr: request }),
    data: row({ certificate: z.string(), authority: z.string() }),
  }),
  exportList: exportList('/seeker/api/deviceAuth/export', { menu, module }),
}
