import { createHash, randomBytes } from 'node:crypto'
import type { Merchant } from './merchants.ts'
import type { No, Ordered } from './pay-simulator.ts'
import { wechatBill } from './wechat-bill.ts'
import { notifyWechatRefund } from './wechat-notice.ts'
import { replyWith, signerOf } from './wechat-wire.ts'
import { refundReply, type Refusal, tradeReply, wechatKey, wechatNo } from './wechat-messages.ts'
import type { Reply, Request, SandboxState } from './sandbox-state.ts'

type Reported = { status: number; body?: object }
type Params = { merchant: Merchant; partner: boolean; request: Request; body: Record<string, unknown>; args: string[] }
type Handler = (sandbox: SandboxState, params: Params) => Reported

const bad = (message: string): Refusal => ({ status: 400, code: 'PARAM_ERROR', message })
const no = ({ status, code, message }: Refusal): Reported => ({ status, body: { code, message } })
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
const isFen = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1e10

const routes: { method: string; path: RegExp; handler: Handler }[] = [
  { method: 'POST', path: /^\/v3\/pay\/(?:partner\/)?transactions\/(native|jsapi)$/, handler: order },
  { method: 'GET', path: /^\/v3\/pay\/(?:partner\/)?transactions\/out-trade-no\/([^/]+)$/, handler: query },
  { method: 'POST', path: /^\/v3\/pay\/(?:partner\/)?transactions\/out-trade-no\/([^/]+)\/close$/, handler: close },
  { method: 'POST', path: /^\/v3\/refund\/domestic\/refunds$/, handler: refund },
  { method: 'GET', path: /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/, handler: queryRefund },
  { method: 'GET', path: /^\/v3\/bill\/tradebill$/, handler: bill },
]

export function answerWechat(sandbox: SandboxState, request: Request): Reply {
  const merchant = signerOf(request, sandbox.merchants)
  const faults = sandbox.faults.of(typeof merchant === 'string' ? undefined : merchant.merchantNo)
  const reply = ({ status, body: content }: Reported) => replyWith(sandbox.keys, faults, status, content)
  if (typeof merchant === 'string') return reply(unproven(merchant, request))
  if (faults.throttle) return reply(no({ status: 429, code: 'FREQUENCY_LIMITED', message: '频率超限' }))
  if (request.url.pathname === '/v3/billdownload/file') return billFile(sandbox, merchant, request.url)
  for (const { method, path, handler } of routes) {
    const match = path.exec(request.url.pathname)
    if (match === null || method !== request.method) continue
    const partner = request.url.pathname.startsWith('/v3/pay/partner/')
    const args = match.slice(1).map(decodeURIComponent)
    return reply(handler(sandbox, { merchant, partner, request, body: parsed(request.body), args }))
  }
  return reply(no({ status: 404, code: 'RESOURCE_NOT_EXISTS', message: '接口不存在' }))
}

/** WeChat's error detail quotes the request. */
const unproven = (code: string, { headers }: Request): Reported => ({
  status: code === 'PARAM_ERROR' ? 400 : 401,
  body: { code, message: '签名错误', detail: { sign_information: { authorization: headers.authorization } } },
})

function order({ simulator }: SandboxState, { merchant, partner, body, args }: Params): Reported {
  const ordered = orderedOf(merchant, partner, body, args[0] === 'native' ? 'code' : 'app')
  if ('status' in ordered) return no(ordered)
  const trade = simulator.order(ordered)
  if (typeof trade === 'string') return no(wechatNo[trade])
  return { status: 200, body: trade.way === 'code' ? { code_url: trade.handle } : { prepay_id: trade.handle } }
}

function orderedOf(
  merchant: Merchant,
  partner: boolean,
  body: Record<string, unknown>,
  way: Ordered['way'],
): Ordered | Refusal {
  const [mchid, appid, sub] = [
    body[partner ? 'sp_mchid' : 'mchid'],
    body[partner ? 'sp_appid' : 'appid'],
    body['sub_mchid'],
  ]
  if (mchid !== merchant.merchantNo || (partner && sub !== merchant.subMerchantNo))
    return { status: 400, code: 'MCH_NOT_EXISTS', message: '商户号不存在' }
  if (appid !== merchant.appId) return { status: 400, code: 'APPID_MCHID_NOT_MATCH', message: 'appid和mch_id不匹配' }
  const [payNo, title, notifyUrl] = [
    textOf(body['out_trade_no']),
    textOf(body['description']),
    textOf(body['notify_url']),
  ]
  const amount = objectOf(body['amount'])
  const payer = objectOf(body['payer'])
  const openId = textOf(payer['openid'] ?? payer['sp_openid'] ?? payer['sub_openid'])
  if (!/^[\w\-|*]{6,32}$/.test(payNo)) return bad('out_trade_no')
  if (title === '' || title.length > 127) return bad('description')
  if (!/^https?:\/\/[^?#]+$/.test(notifyUrl)) return bad('notify_url')
  if (!isFen(amount['total']) || amount['currency'] !== 'CNY') return bad('amount.total')
  if (way === 'app' && openId === '') return bad('payer.openid')
  const expires = textOf(body['time_expire'])
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/.test(expires) || Date.parse(expires) <= Date.now())
    return bad('time_expire')
  return {
    provider: 'wechat',
    merchantNo: merchant.merchantNo,
    subMerchantNo: partner ? merchant.subMerchantNo : undefined,
    appId: merchant.appId,
    payNo,
    fen: amount['total'],
    title,
    expiresAt: new Date(expires),
    notifyUrl,
    profitSharing: objectOf(body['settle_info'])['profit_sharing'] === true,
    way,
    openId: way === 'app' ? openId : undefined,
  }
}

function query({ simulator }: SandboxState, { merchant, partner, request, args }: Params): Reported {
  const params = request.url.searchParams
  if (params.get(partner ? 'sp_mchid' : 'mchid') !== merchant.merchantNo) return no(bad('mchid'))
  const trade = simulator.find(wechatKey(merchant.merchantNo, params.get('sub_mchid') ?? undefined), args[0] ?? '')
  return trade === undefined ? no(wechatNo.absent) : { status: 200, body: tradeReply(trade) }
}

function close({ simulator }: SandboxState, { merchant, partner, body, args }: Params): Reported {
  if (body[partner ? 'sp_mchid' : 'mchid'] !== merchant.merchantNo) return no(bad('mchid'))
  const trade = simulator.find(wechatKey(merchant.merchantNo, textOf(body['sub_mchid']) || undefined), args[0] ?? '')
  const problem: No | undefined = trade === undefined ? 'absent' : simulator.close(trade)
  return problem === undefined ? { status: 204 } : no(wechatNo[problem])
}

function refund(sandbox: SandboxState, { merchant, body }: Params): Reported {
  const { simulator, faults } = sandbox
  const sub = textOf(body['sub_mchid']) || undefined
  const trade = simulator.find(wechatKey(merchant.merchantNo, sub), textOf(body['out_trade_no']))
  if (trade === undefined) return no({ ...wechatNo.absent, code: 'RESOURCE_NOT_EXISTS' })
  const amount = objectOf(body['amount'])
  const refundNo = textOf(body['out_refund_no'])
  if (!/^[\w\-|*@]{1,64}$/.test(refundNo)) return no(bad('out_refund_no'))
  if (!isFen(amount['refund']) || !isFen(amount['total']) || amount['currency'] !== 'CNY') return no(bad('amount'))
  const isRepeat = trade.refunds.some((each) => each.refundNo === refundNo)
  const params = { refundNo, fen: amount['refund'], ofFen: amount['total'] }
  const words = { reason: textOf(body['reason']), notifyUrl: textOf(body['notify_url']) || undefined }
  const refundResult = simulator.refund(trade, { ...params, ...words }, faults.of(merchant.merchantNo).holdRefunds)
  if (typeof refundResult === 'string') return no(wechatNo[refundResult])
  if (!isRepeat && refundResult.state === 'SUCCESS') notifyWechatRefund(sandbox, trade, refundResult)
  // WeChat never reports a refund as finished in the response to its request.
  return { status: 200, body: refundReply(trade, isRepeat ? refundResult : { ...refundResult, state: 'PROCESSING' }) }
}

function queryRefund({ simulator }: SandboxState, { merchant, request, args }: Params): Reported {
  const sub = request.url.searchParams.get('sub_mchid') ?? undefined
  for (const trade of simulator.trades) {
    if (trade.merchantNo !== merchant.merchantNo || trade.subMerchantNo !== sub) continue
    const match = trade.refunds.find(({ refundNo }) => refundNo === args[0])
    if (match !== undefined) return { status: 200, body: refundReply(trade, match) }
  }
  return no({ status: 404, code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' })
}

function bill(sandbox: SandboxState, { merchant, request }: Params): Reported {
  const params = request.url.searchParams
  const [day, sub] = [params.get('bill_date') ?? '', params.get('sub_mchid') ?? '']
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return no(bad('bill_date'))
  const lines = sandbox.bills.linesOf(merchant, day, sub || undefined)
  if (lines.length === 0) return no({ status: 400, code: 'NO_STATEMENT_EXIST', message: '账单文件不存在' })
  const hash_value = createHash('sha1').update(wechatBill(lines, merchant)).digest('hex')
  const place = sandbox.faults.of(merchant.merchantNo).billsAt || sandbox.url
  const search = new URLSearchParams({ token: randomBytes(16).toString('hex'), day, sub })
  return {
    status: 200,
    body: { hash_type: 'SHA1', hash_value, download_url: `${place}/v3/billdownload/file?${search.toString()}` },
  }
}

/** Unsigned, like WeChat's bill downloads. */
function billFile(sandbox: SandboxState, merchant: Merchant, { searchParams }: URL): Reply {
  const lines = sandbox.bills.linesOf(merchant, searchParams.get('day') ?? '', searchParams.get('sub') || undefined)
  const whole = wechatBill(lines, merchant)
  const body = sandbox.faults.of(merchant.merchantNo).spoilBills ? whole.slice(0, -40) : whole
  return { status: 200, headers: { 'content-type': 'text/plain' }, body }
}

function parsed(body: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(body))
  } catch {
    return {}
  }
}
