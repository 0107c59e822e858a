import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get, post } from '../kit/route.ts'
import { id, idList, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** Piles that count money are told the prices; until one has confirmed them it does not charge. */
export const pushState = codes({
  toSend: { code: 1, label: '待下发', tone: 'off' },
  sent: { code: 2, label: '已下发', tone: 'run' },
  confirmed: { code: 3, label: '已确认', tone: 'ok' },
  failed: { code: 4, label: '下发失败', tone: 'bad' },
})

export type TariffDevice = z.infer<typeof TariffDevice>
export const TariffDevice = row({
  id: z.string(),
  deviceNo: z.string(),
  name: z.string(),
  siteName: z.string().nullable(),
  ofSite: z.boolean().describe('it has no tariff of its own, so that of its site holds'),
  online: z.boolean(),
  told: z.boolean().describe('counts money itself, so it has to be told'),
  state: pushState.schema.nullable(),
  versionNo: z.int().nullable().describe('the version that it was told'),
  reason: z.string().nullable().describe('in words'),
  confirmedAt: time.nullable(),
})

const menu = menuKey.consumptionStandard

export const tariffPush = {
  /** The devices that charge by a tariff. */
  list: get('/seeker/api/consumptionStandard/devices/{id}', {
    access: { menu },
    params: row({ id }),
    query: PageQuery.extend({ state: pushState.wire.optional() }),
    data: page(TariffDevice),
  }),
  retry: post('/seeker/api/consumptionStandard/pushAgain', {
    access: { menu, action: 'setStandard' },
    audit: { module: '消费标准', does: '重新下发计费模型' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
}
