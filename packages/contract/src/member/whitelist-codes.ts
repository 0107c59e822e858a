import { codes } from '../kit/codes.ts'

/** How an entry of the whitelist lowers the price of a charge. */
export const whitelistRule = codes({
  free: { code: 0, label: '免费', tone: 'ok' },
  discount: { code: 1, label: '折扣', tone: 'link' },
  reduction: { code: 2, label: '立减', tone: 'link' },
  fixed: { code: 3, label: '固定价', tone: 'link' },
  freeTimes: { code: 4, label: '限次免费', tone: 'ok' },
})

export const whitelistScope = codes({
  charge: { code: 1, label: '电费和服务费' },
  service: { code: 2, label: '仅服务费' },
})

/** Who bears the discount. */
export const whitelistFunder = codes({
  organise: { code: 2, label: '机构' },
  agent: { code: 3, label: '代理商' },
  site: { code: 4, label: '站点' },
})

export const whitelistStatus = codes({
  waiting: { code: 1, label: '待审核', tone: 'warn' },
  valid: { code: 2, label: '已生效', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  stopped: { code: 4, label: '已停用', tone: 'off' },
})
export const whitelistFlow = whitelistStatus.flow({
  approve: { from: ['waiting'], to: 'valid' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  stop: { from: ['waiting', 'valid'], to: 'stopped' },
  ask: { from: ['valid'], to: 'waiting' },
})
