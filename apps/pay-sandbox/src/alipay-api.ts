import { randomBytes } from 'node:crypto'
import { alipayBill } from './alipay-bill.ts'
import { notifyAlipayRefund } from './alipay-notice.ts'
import { type Fields, replyWith, signerOf } from './alipay-wire.ts'
import { alipayNo, china, statusOf, yuan } from './alipay-messages.ts'
import type { Merchant } from './merchants.ts'
import { type No, type Ordered, refunded, type Trade } from './pay-simulator.ts'
import type { Reply, Request, SandboxState } from './sandbox-state.ts'

type Biz = Record<string, unknown>
type Params = { merchant: Merchant; fields: Fields; biz: Biz }
type Handler = (sandbox: SandboxState, params: Params) => object

const good = (content: object) => ({ code: '10000', msg: 'Success', ...content })
const bad = (sub_code: string) => ({ code: '40004', msg: 'Business Failed', sub_code, sub_msg: `沙箱: ${sub_code}` })
const no = (why: No) => bad(alipayNo[why])
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const fenOf = (value: unknown) => {
  const text = textOf(value)
  return /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0
}

const methods: Record<string, Handler> = {
  'alipay.trade.precreate': order,
  'alipay.trade.create': order,
  'alipay.trade.query': query,
  'alipay.trade.close': close,
  'alipay.trade.refund': refund,
  'alipay.trade.fastpay.refund.query': queryRefund,
  'alipay.data.dataservice.bill.downloadurl.query': bill,
}

export const formOf = ({ url, body }: Request): Fields => ({
  ...Object.fromEntries(url.searchParams),
  ...Object.fromEntries(new URLSearchParams(body)),
})

export function answerAlipay(sandbox: SandboxState, request: Request): Reply {
  const fields = formOf(request)
  const merchant = signerOf(fields, sandbox.merchants)
  const faults = sandbox.faults.of(typeof merchant === 'string' ? undefined : merchant.merchantNo)
  const refuse = (sub_code: string) =>
    replyWith(sandbox.keys, faults, 'error_response', {
      code: '40002',
      msg: 'Invalid Arguments',
      sub_code,
      sub_msg: '沙箱',
    })
  if (typeof merchant === 'string') return refuse(merchant)
  const { method = '' } = fields
  const handler = methods[method]
  if (handler === undefined) return refuse('isv.invalid-method')
  const busy = { code: '20000', msg: 'Service Currently Unavailable', sub_code: 'isp.unknow-error' }
  const content = faults.throttle
    ? busy
    : handler(sandbox, { merchant, fields, biz: parsed(fields['biz_content'] ?? '') })
  return replyWith(sandbox.keys, faults, `${method.replaceAll('.', '_')}_response`, content)
}

function order({ simulator }: SandboxState, { merchant, fields, biz }: Params): object {
  const ordered = orderedOf(merchant, fields, biz)
  if (typeof ordered === 'string') return bad(ordered)
  const trade = simulator.order(ordered)
  if (typeof trade === 'string') return no(trade)
  const out_trade_no = trade.payNo
  return good(
    trade.way === 'code' ? { out_trade_no, qr_code: trade.handle } : { out_trade_no, trade_no: trade.transactionId },
  )
}

function orderedOf({ merchantNo, appId }: Merchant, fields: Fields, biz: Biz): Ordered | string {
  const way = fields['method'] === 'alipay.trade.create' ? 'app' : 'code'
  const [payNo, title, fen] = [textOf(biz['out_trade_no']), textOf(biz['subject']), fenOf(biz['total_amount'])]
  const openId = textOf(biz['buyer_id']) || textOf(biz['buyer_open_id'])
  const expiresAt = new Date(`${textOf(biz['time_expire']).replace(' ', 'T')}+08:00`)
  const extra = (biz['extend_params'] ?? {}) as Biz
  const wrong =
    !/^\w{1,64}$/.test(payNo) || title === '' || /[/=&]/.test(title) || fen < 1 || !(expiresAt.getTime() > Date.now())
  if (wrong || (way === 'app' && openId === '')) return 'ACQ.INVALID_PARAMETER'
  return {
    provider: 'alipay',
    merchantNo,
    subMerchantNo: undefined,
    appId,
    payNo,
    fen,
    title,
    expiresAt,
    notifyUrl: fields['notify_url'],
    profitSharing: extra['royalty_freeze'] === 'true',
    way,
    openId: way === 'app' ? openId : undefined,
  }
}

/** Alipay creates the trade only when the code is scanned. */
function tradeOf({ simulator }: SandboxState, { merchant, biz }: Params): Trade | undefined {
  const key = { provider: 'alipay' as const, merchantNo: merchant.merchantNo, subMerchantNo: undefined }
  const trade = simulator.find(key, textOf(biz['out_trade_no']))
  return trade?.scanned === true ? trade : undefined
}

const nameOf = ({ payNo, transactionId }: Trade) => ({ out_trade_no: payNo, trade_no: transactionId })

function query(sandbox: SandboxState, params: Params): object {
  const trade = tradeOf(sandbox, params)
  if (trade === undefined) return no('absent')
  const paid = trade.paidAt !== undefined && {
    send_pay_date: china(trade.paidAt),
    buyer_user_id: trade.payer,
    receipt_amount: yuan(trade.fen),
  }
  return good({ ...nameOf(trade), trade_status: statusOf(trade), total_amount: yuan(trade.fen), ...paid })
}

function close(sandbox: SandboxState, params: Params): object {
  const trade = tradeOf(sandbox, params)
  if (trade === undefined) return no('absent')
  if (trade.state === 'CLOSED') return no('closed')
  return sandbox.simulator.close(trade) === undefined ? good(nameOf(trade)) : bad('ACQ.TRADE_STATUS_ERROR')
}

function refund(sandbox: SandboxState, params: Params): object {
  const { merchant, biz } = params
  const trade = tradeOf(sandbox, params)
  if (trade === undefined) return no('absent')
  const [refundNo, fen] = [textOf(biz['out_request_no']), fenOf(biz['refund_amount'])]
  if (!/^\w{1,64}$/.test(refundNo) || fen < 1) return bad('ACQ.INVALID_PARAMETER')
  const isRepeat = trade.refunds.some((each) => each.refundNo === refundNo)
  const words = { reason: textOf(biz['refund_reason']), notifyUrl: undefined, ofFen: undefined }
  const refundResult = sandbox.simulator.refund(
    trade,
    { refundNo, fen, ...words },
    sandbox.faults.of(merchant.merchantNo).holdRefunds,
  )
  if (typeof refundResult === 'string') return no(refundResult)
  if (!isRepeat) notifyAlipayRefund(sandbox, trade, refundResult)
  // A repeated request reports that no money moved this time.
  const fund_change = !isRepeat && refundResult.state === 'SUCCESS' ? 'Y' : 'N'
  return good({ ...nameOf(trade), fund_change, refund_fee: yuan(refunded(trade)), buyer_user_id: trade.payer })
}

/** Alipay does not return a refund before it is finished. */
function queryRefund(sandbox: SandboxState, params: Params): object {
  const trade = tradeOf(sandbox, params)
  if (trade === undefined) return no('absent')
  const match = trade.refunds.find(({ refundNo }) => refundNo === params.biz['out_request_no'])
  if (match?.state !== 'SUCCESS') return good({})
  return good({
    ...nameOf(trade),
    out_request_no: match.refundNo,
    refund_status: 'REFUND_SUCCESS',
    total_amount: yuan(trade.fen),
    refund_amount: yuan(match.fen),
    gmt_refund_pay: china(match.doneAt ?? new Date()),
  })
}

function bill(sandbox: SandboxState, { merchant, biz }: Params): object {
  const day = textOf(biz['bill_date'])
  if (biz['bill_type'] !== 'trade' || !/^\d{4}-\d\d-\d\d$/.test(day)) return bad('isv.invalid-arguments')
  if (sandbox.bills.linesOf(merchant, day).length === 0) return bad('isp.bill_not_exist')
  const search = new URLSearchParams({ day, app_id: merchant.appId, token: randomBytes(16).toString('hex') })
  return good({
    bill_download_url: `${sandbox.faults.of(merchant.merchantNo).billsAt || sandbox.url}/alipay-bill.zip?${search.toString()}`,
  })
}

export function answerAlipayBill(sandbox: SandboxState, { url: { searchParams } }: Request): Reply {
  const merchant = sandbox.merchants.alipay(searchParams.get('app_id') ?? '')
  const day = searchParams.get('day') ?? ''
  if (merchant === undefined) return { status: 404, headers: {}, body: '' }
  const whole = alipayBill(sandbox.bills.linesOf(merchant, day), merchant, day)
  const body = sandbox.faults.of(merchant.merchantNo).spoilBills ? whole.subarray(0, -40) : whole
  return { status: 200, headers: { 'content-type': 'application/zip' }, body }
}

function parsed(text: string): Biz {
  try {
    return JSON.parse(text) as Biz
  } catch {
    return {}
  }
}
