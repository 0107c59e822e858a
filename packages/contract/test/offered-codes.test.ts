import { describe, expect, it } from 'vitest'
import { accountKind } from '../src/accounting/ledger-codes.ts'
import { payPurpose, payStatus, rechargeStatus, rechargeTarget } from '../src/accounting/pay-codes.ts'
import { startMode } from '../src/order/order-codes.ts'
import { refundKind } from '../src/order/refund-codes.ts'

const labels = (table: { options: readonly { label: string }[] }) => table.options.map(({ label }) => label)

describe('options of a filter', () => {
  it('are the codes that this version writes', () => {
    expect(labels(payPurpose)).toEqual(['充值', '购卡', '一分钱测试'])
    expect(labels(startMode)).toEqual(['扫码', '刷卡', '远程', '离线'])
    expect(labels(refundKind)).toEqual(['自动结算退款', '人工退款'])
    expect(labels(rechargeTarget)).toEqual(['会员钱包', '储值卡账户'])
    expect(labels(payStatus)).toEqual(['已支付', '未支付', '已关闭'])
    const kinds: readonly number[] = accountKind.options.map(({ value }) => value)
    expect(kinds.filter((kind) => kind > 30 && kind < 50)).toEqual([])
    expect(kinds).toHaveLength(Object.keys(accountKind.code).length - 6)
  })

  it('leave the other codes readable', () => {
    expect(startMode.schema.parse(startMode.code.vin)).toBe(4)
    expect(startMode.wire.parse('6')).toBe(startMode.code.thirdParty)
    expect(refundKind.show(refundKind.code.startFailed).label).toBe('启动失败退款')
    expect(accountKind.show(accountKind.code.platformIncome).label).toBe('平台收入')
  })
})

describe('codes of payments', () => {
  it('[state.payment] are 0 none needed, 1 paid, 2 unpaid', () => {
    expect(payStatus.code).toEqual({ free: 0, paid: 1, unpaid: 2, closed: 3 })
  })

  it('[state.recharge] are the codes of the specification', () => {
    expect(rechargeStatus.code).toEqual({
      waiting: 'WAIT_PAY_STATUS',
      paid: 'ALREADY_PAY_STATUS',
      cancelled: 'CANCEL_STATUS',
    })
  })
})
