import { codes } from '../kit/codes.ts'

/** How a coupon lowers the price of one charge. */
export const couponKind = codes({
  reduction: { code: 1, label: '满减', tone: 'link' },
  discount: { code: 2, label: '折扣', tone: 'link' },
  minutes: { code: 3, label: '时长', tone: 'link' },
  energy: { code: 4, label: '电量', tone: 'link' },
  free: { code: 5, label: '免单', tone: 'ok' },
})

export const couponStatus = codes({
  waiting: { code: 1, label: '待审核', tone: 'warn' },
  giving: { code: 2, label: '发放中', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  stopped: { code: 4, label: '已停发', tone: 'off' },
})
export const couponFlow = couponStatus.flow({
  approve: { from: ['waiting'], to: 'giving' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  stop: { from: ['waiting', 'giving'], to: 'stopped' },
})

export const grantStatus = codes({
  unused: { code: 1, label: '未使用', tone: 'ok' },
  held: { code: 2, label: '使用中', tone: 'warn' },
  used: { code: 3, label: '已使用', tone: 'link' },
  voided: { code: 4, label: '已作废', tone: 'off' },
  expired: { code: 5, label: '已过期', tone: 'off' },
})
/** An unused coupon after its last day is shown as expired; no row is written for that. */
export const grantFlow = grantStatus.flow({
  hold: { from: ['unused'], to: 'held' },
  use: { from: ['held'], to: 'used' },
  giveBack: { from: ['held', 'used'], to: 'unused' },
  void: { from: ['unused'], to: 'voided' },
})

export const grantSource = codes({
  staff: { code: 1, label: '后台发放' },
  claim: { code: 2, label: '用户领取' },
})
