import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** Chargers that bill on their own receive the prices; a charger does not charge until it has confirmed them. */
export const pushState = codes({
  toSend: { code: 1, label: '待下发', tone: 'off' },
  sent: { code: 2, label: '已下发', tone: 'run' },
  confirmed: { code: 3, label: '已确认', tone: 'ok' },
  failed: { code: 4, label: '下发失败', tone: 'bad' },
})

const menu = menuKey.consumptionStandard
const module = '消费标准'
const { changeMany } = screenRoutes({ menu, module })

/** The devices that use a tariff. */
export const tariffDeviceList = defineList('/seeker/api/consumptionStandard', {
  menu,
  module,
  at: '/devices/{id}',
  params: row({ id }),
  fields: {
    deviceNo: f.shown('设备编号', { width: 150, object: { kind: 'device', id: 'id' } }),
    name: f.shown('设备名称', { width: 160, object: { kind: 'device', id: 'id' } }),
    siteName: f.shown('站点', { optional: true, width: 140, object: { kind: 'site', id: 'siteId' } }),
    ofSite: f.flag('绑定方式', { width: 90, about: 'inherited from the site, without a tariff of its own' }),
    online: f.flag('在线状态', { width: 80 }),
    state: f.code('下发状态', pushState, { optional: true, width: 100 }),
    versionNo: f.count('下发版本', { optional: true, width: 90, about: 'version sent to the device' }),
    reason: f.shown('原因', { optional: true, width: 180, about: 'as text' }),
    confirmedAt: f.time('确认时间', { optional: true, width: 180 }),
    siteId: f.data(z.string().nullable()),
    needsTariff: f.data(z.boolean().describe('the device calculates money itself and needs the tariff')),
  },
  filter: { exact: ['state'] },
})
export type TariffDevice = DataOf<typeof tariffDeviceList.routes.list>['rows'][number]

export const tariffPush = {
  ...tariffDeviceList.routes,
  retry: changeMany('/seeker/api/consumptionStandard/pushAgain', '重新下发计费模型', {}, 'setStandard'),
}
