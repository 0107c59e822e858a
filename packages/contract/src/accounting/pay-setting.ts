import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { secretive } from '../kit/privacy.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { decimal, flag, id, lines, row, secret, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { merchantMode, payProvider } from './pay-codes.ts'

/** Progress of a test payment of one fen. */
export const testStage = codes({
  sending: { code: 1, label: '正在获取支付码', tone: 'run' },
  waiting: { code: 2, label: '请扫码支付0.01元', tone: 'warn' },
  returning: { code: 3, label: '已收到，正在原路退回', tone: 'run' },
  passed: { code: 4, label: '测试通过', tone: 'ok' },
  failed: { code: 5, label: '测试未通过', tone: 'bad' },
})

/** 密钥状态: a key signs requests and verifies notices only in state live. */
export const keyState = codes({
  waiting: { code: 1, label: '待平台审批', tone: 'warn' },
  trying: { code: 2, label: '待渠道验证', tone: 'run' },
  live: { code: 3, label: '生效中', tone: 'ok' },
})

/** A live or requested key. Its secret part never leaves the server. */
export type MerchantKey = z.infer<typeof MerchantKey>
const MerchantKey = row({
  id: z.string(),
  serial: z.string().describe('serial number of the merchant certificate, or fingerprint of the merchant key'),
  providerKeyId: z.string(),
  providerPrint: z
    .string()
    .describe('SHA-256 of the provider’s public key, to compare with the value the provider shows'),
  state: keyState.schema,
  words: z.string().nullable().describe('result of the last attempt at the provider'),
  own: z.boolean().describe('requested by the caller, who cannot decide on it'),
  createdBy: z.string(),
  createdAt: time,
  approvedBy: z.string().nullable(),
  approvedAt: time.nullable(),
  liveAt: time.nullable(),
})

export type Merchant = z.infer<typeof Merchant>
export const Merchant = row({
  id: z.string(),
  organiseId: z.string(),
  organiseName: z.string(),
  provider: payProvider.schema,
  mode: merchantMode.schema,
  name: z.string(),
  appId: z.string(),
  merchantNo: z.string(),
  subMerchantNo: z.string().nullable(),
  rate: z.string().describe('percent'),
  isDefault: z.boolean(),
  status: enabledStatus.schema,
  testedAt: time.nullable().describe('null: cannot be enabled before a test payment of one fen was refunded'),
  authorised: z.boolean().describe('authorised by the platform'),
  notifyUrl: z.string(),
  keys: z.array(MerchantKey).describe('at most two; the newest live key signs'),
  createdAt: time,
})

const menu = menuKey.paySetting
const module = '支付设置'
const { read, change, create, remove, approve } = screenRoutes({ menu, module })
const fields = {
  mode: merchantMode.wire,
  name: text(40, '名称'),
  appId: text(40, 'AppID').regex(/^[\w-]+$/, '请输入正确的AppID'),
  merchantNo: text(40, '商户号').regex(/^[\w-]+$/, '请输入正确的商户号'),
  subMerchantNo: text(40, '特约商户号')
    .regex(/^[\w-]+$/, '请输入正确的特约商户号')
    .optional(),
  rate: decimal(0, 10, 3, '费率').describe('percent'),
  isDefault: flag.optional(),
}

/** The merchant names of an organisation, and their keys. */
export const paySetting = {
  list: read('/seeker/api/paySetting/pageList', {
    query: PageQuery.extend({
      organiseId: id.optional(),
      provider: payProvider.wire.optional(),
      status: enabledStatus.wire.optional(),
    }),
    data: page(Merchant),
  }),
  add: create('/seeker/api/paySetting/save', '新增支付商户', {
    organiseId: id.optional().describe('required for platform users'),
    provider: payProvider.wire,
    ...fields,
  }),
  /** Changing the merchant number or app creates another merchant, which needs a new test and authorisation. */
  edit: change('/seeker/api/paySetting/update', '编辑支付商户', { id, ...fields }),
  remove: remove('/seeker/api/paySetting/delete', '删除支付商户'),
  /**
   * Maker-checker: the key is a candidate until another person of the platform approves it and the provider accepts it.
   * The live key stays valid meanwhile, so both sides can change over without refused requests.
   */
  addKey: change(
    '/seeker/api/paySetting/addKey',
    '提交支付密钥',
    {
      id,
      serial: text(80, '证书序列号').optional().describe('WeChat only; derived for Alipay'),
      privateKey: secretive(lines(5000, '商户私钥')),
      apiV3Key: secret(32).optional().describe('WeChat only'),
      providerKeyId: text(80, '渠道公钥ID').optional().describe('WeChat only; derived for Alipay'),
      providerKey: lines(5000, '渠道公钥'),
    },
    { ownHands: true },
  ),
  approveKey: approve('/seeker/api/paySetting/approveKey', '通过支付密钥', { id, keyId: id }, { platform: true }),
  declineKey: approve(
    '/seeker/api/paySetting/declineKey',
    '驳回支付密钥',
    { id, keyId: id, reason: text(200, '驳回原因') },
    { platform: true },
  ),
  /** A live key ends at once; a requested key is withdrawn. */
  retireKey: change('/seeker/api/paySetting/retireKey', '停用支付密钥', { id, keyId: id }, { ownHands: true }),
  toggle: change('/seeker/api/paySetting/toggle', '启停支付商户', { id, status: enabledStatus.wire }),
  /** A payment of one fen by QR code, refunded automatically. */
  test: change(
    '/seeker/api/paySetting/test',
    '一分钱测试',
    { id },
    { action: 'control', idempotent: true, data: row({ testId: z.string() }) },
  ),
  testState: read('/seeker/api/paySetting/testState', {
    query: row({ testId: id }),
    data: row({ stage: testStage.schema, codeUrl: z.string().nullable(), words: z.string().nullable() }),
  }),
}
