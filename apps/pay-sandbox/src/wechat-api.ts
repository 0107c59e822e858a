import { createHash, randomBytes } from 'node:crypto'
import type { Merchant } from './merchants.ts'
import type { No, Ordered } from './pay-simulator.ts'
import { wechatBill } from './wechat-bill.ts'
import { tellWechatRefund } from './wechat-notice.ts'
import { replyWith, signerOf } from './wechat-wire.ts'
import { refundSaid, type Refusal, tradeSaid, wechatKey, wechatNo } from './wechat-messages.ts'
import type { Reply, Request, SandboxState } from './sandbox-state.ts'

type Reported = { status: number; said?: object }
type Params = { merchant: Merchant; partner: boolean; request: Request; body: Record<string, unknown>; args: string[] }
type Handler = (sandbox: SandboxState, asked: Params) => Reported

const bad = (message: string): Refusal => ({ status: 400, code: 'PARAM_ERROR', message })
const no = ({ status, code, message }: Refusal): Reported => ({ status, said: { code, message } })
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
  const reply = ({ status, said }: Reported) => replyWith(sandbox.keys, faults, status, said)
  if (typeof merchant === 'string') return reply(unproven(merchant, request))
  if (faults.throttle) return reply(no({ status: 429, code: 'FREQUENCY_LIMITED', message: '频率超限' }))
  if (request.url.pathname === '/v3/billdownload/file') return billFile(sandbox, merchant, request.url)
  for (const { method, path, handler } of routes) {
    const found = path.exec(request.url.pathname)
    if (found === null || method !== request.method) continue
    const partner = request.url.pathname.startsWith('/v3/pay/partner/')
    const args = found.slice(1).map(decodeURIComponent)
    return reply(handler(sandbox, { merchant, partner, request, body: parsed(request.body), args }))
  }
  return reply(no({ status: 404, code: 'RESOURCE_NOT_EXISTS', message: '接口不存在' }))
}

/** Over there the detail quotes what was sent. */
const unproven = (code: string, { headers }: Request): Reported => ({
  status: code === 'PARAM_ERROR' ? 400 : 401,
  said: { code, message: '签名错误', detail: { sign_information: { authorization: headers.authorization } } },
})

function order({ simulator }: SandboxState, { merchant, partner, body, args }: Params): Reported {
  const ordered = orderedOf(merchant, partner, body, args[0] === 'native' ? 'code' : 'app')
  if ('status' in ordered) return no(ordered)
  const trade = simulator.order(ordered)
  if (typeof trade === 'string') return no(wechatNo[trade])
  return { status: 200, said: trade.way === 'code' ? { code_url: trade.handle } : { prepay_id: trade.handle } }
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
  const asked = request.url.searchParams
  if (asked.get(partner ? 'sp_mchid' : 'mchid') !== merchant.merchantNo) return no(bad('mchid'))
  const trade = simulator.find(wechatKey(merchant.merchantNo, asked.get('sub_mchid') ?? undefined), args[0] ?? '')
  return trade === undefined ? no(wechatNo.absent) : { status: 200, said: tradeSaid(trade) }
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
  const known = trade.refunds.some((each) => each.refundNo === refundNo)
  const asked = { refundNo, fen: amount['refund'], ofFen: amount['total'] }
  const words = { reason: textOf(body['reason']), notifyUrl: textOf(body['notify_url']) || undefined }
  const made = simulator.refund(trade, { ...asked, ...words }, faults.of(merchant.merchantNo).holdRefunds)
  if (typeof made === 'string') return no(wechatNo[made])
  if (!known && made.state === 'SUCCESS') tellWechatRefund(sandbox, trade, made)
  // Over there a refund is never finished in the answer to the question for it.
  return { status: 200, said: refundSaid(trade, known ? made : { ...made, state: 'PROCESSING' }) }
}

function queryRefund({ simulator }: SandboxState, { merchant, request, args }: Params): Reported {
  const sub = request.url.searchParams.get('sub_mchid') ?? undefined
  for (const trade of simulator.trades) {
    if (trade.merchantNo !== merchant.merchantNo || trade.subMerchantNo !== sub) continue
    const found = trade.refunds.find(({ refundNo }) => refundNo === args[0])
    if (found !== undefined) return { status: 200, said: refundSaid(trade, found) }
  }
  return no({ status: 404, code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' })
}

function bill(sandbox: SandboxState, { merchant, request }: Params): Reported {
  const asked = request.url.searchParams
  const [day, sub] = [asked.get('bill_date') ?? '', asked.get('sub_mchid') ?? '']
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return no(bad('bill_date'))
  const lines = sandbox.bills.linesOf(merchant, day, sub || undefined)
  if (lines.length === 0) return no({ status: 400, code: 'NO_STATEMENT_EXIST', message: '账单文件不存在' })
  const hash_value = createHash('sha1').update(wechatBill(lines, merchant)).digest('hex')
  const place = sandbox.faults.of(merchant.merchantNo).billsAt || sandbox.url
  const search = new URLSearchParams({ token: randomBytes(16).toString('hex'), day, sub })
  return {
    status: 200,
    said: { hash_type: 'SHA1', hash_value, download_url: `${place}/v3/billdownload/file?${search.toString()}` },
  }
}

/** Not signed, as over there. */
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
