import { codes } from '../kit/codes.ts'

/** What one use of a pass covers. */
export const planUnit = codes({
  minutes: { code: 1, label: '按时长' },
  energy: { code: 2, label: '按电量' },
})

/** Where a plan applies. */
export const planReach = codes({
  owner: { code: 1, label: '归属下全部站点' },
  sites: { code: 2, label: '指定站点' },
})
