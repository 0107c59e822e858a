import { codes } from '../kit/codes.ts'
import { withoutOptions } from '../kit/offered-codes.ts'

/**
 * The owner of an account. Positive is the owner's claim; channels and costs, the sources of money, are negative. Paid
 * and gift money stay separate throughout: gift money is never paid out.
 */
export const accountKind = withoutOptions(
  codes({
    memberPaid: { code: 1, label: '会员充值余额' },
    memberGift: { code: 2, label: '会员赠送余额' },
    memberPaidHeld: { code: 3, label: '会员充值冻结' },
    memberGiftHeld: { code: 4, label: '会员赠送冻结' },
    memberRefunding: { code: 5, label: '会员退款冻结' },
    memberGiftRefunding: { code: 6, label: '赠送退款冻结' },
    cardPaid: { code: 11, label: '储值卡余额' },
    cardGift: { code: 12, label: '储值卡赠送' },
    cardPaidHeld: { code: 13, label: '储值卡冻结' },
    cardGiftHeld: { code: 14, label: '储值卡赠送冻结' },
    siteElectricity: { code: 21, label: '站点电费收入' },
    siteService: { code: 22, label: '站点服务费收入' },
    siteOccupancy: { code: 23, label: '站点占位费收入' },
    /** What others, or passes, bear of the discounts at this site. */
    siteSubsidy: { code: 24, label: '站点优惠补贴' },
    organisePayable: { code: 31, label: '机构可结算' },
    agentPayable: { code: 32, label: '代理商可结算' },
    sitePayable: { code: 33, label: '站点可结算' },
    investorPayable: { code: 34, label: '投资人可结算' },
    platformDue: { code: 41, label: '应付平台' },
    platformIncome: { code: 42, label: '平台收入' },
    channel: { code: 51, label: '支付渠道' },
    channelFee: { code: 52, label: '渠道手续费' },
    refundDue: { code: 53, label: '待退款' },
    /** The owner is a pass: the part of its price for the days to come. */
    planDeferred: { code: 54, label: '包月待确认收入' },
    /** Income of the days on which a pass was not used. */
    planIncome: { code: 55, label: '机构包月收入' },
    giftCost: { code: 61, label: '赠送成本' },
    adjustment: { code: 62, label: '余额调整' },
    discountPlatform: { code: 63, label: '平台承担优惠' },
    discountOrganise: { code: 64, label: '机构承担优惠' },
    discountAgent: { code: 65, label: '代理商承担优惠' },
  }),
  ['organisePayable', 'agentPayable', 'sitePayable', 'investorPayable', 'platformDue', 'platformIncome'],
)
export type AccountName = keyof typeof accountKind.code

/** Accounts for own money or costs. The ledger stores them with the sign opposite to the displayed one. */
export const ownMoneyKinds: ReadonlySet<number> = new Set([
  accountKind.code.channel,
  accountKind.code.channelFee,
  accountKind.code.giftCost,
  accountKind.code.adjustment,
  accountKind.code.discountPlatform,
  accountKind.code.discountOrganise,
  accountKind.code.discountAgent,
])

/** Of account kind `channel`: the provider of the money movement. */
export const channel = codes({
  wechat: { code: 1, label: '微信' },
  alipay: { code: 2, label: '支付宝' },
  unionPay: { code: 3, label: '银联商务' },
  allinPay: { code: 4, label: '云商通' },
  offline: { code: 9, label: '线下' },
})

export const postingKind = codes({
  recharge: { code: 1, label: '充值', tone: 'ok' },
  gift: { code: 2, label: '赠送', tone: 'book' },
  hold: { code: 3, label: '冻结', tone: 'warn' },
  release: { code: 4, label: '解冻', tone: 'off' },
  bill: { code: 5, label: '充电消费', tone: 'run' },
  refund: { code: 6, label: '退款', tone: 'bad' },
  adjustment: { code: 7, label: '余额调整', tone: 'link' },
  channelFee: { code: 9, label: '渠道手续费', tone: 'off' },
  correction: { code: 8, label: '更正', tone: 'bad' },
  giftExpiry: { code: 10, label: '赠送过期', tone: 'off' },
  cardReplacement: { code: 15, label: '补卡转移', tone: 'link' },
  passSale: { code: 11, label: '购卡', tone: 'ok' },
  passIncome: { code: 12, label: '包月收入', tone: 'run' },
})
export type PostingName = keyof typeof postingKind.code
