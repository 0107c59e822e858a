import { isNetwork } from '@wattdeck/domain/network.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { secretive } from '../kit/privacy.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** Maximum enabled keys of one organisation, and networks of one key. */
export const mostLiveKeys = 20
const mostNetworks = 50

/** How long the replaced secret stays valid, in hours. */
export const secretGrace = codes({
  none: { code: 0, label: '立即失效' },
  day: { code: 24, label: '24小时' },
  week: { code: 168, label: '7天' },
})

/** The secret that stays valid while two are valid and a third is issued. */
export const keptSecret = codes({
  current: { code: 1, label: '当前密钥' },
  old: { code: 2, label: '旧密钥' },
})

const menu = menuKey.chargingMini
const module = '开放接口密钥'
const { change } = screenRoutes({ menu, module })
const ownHands = true

const networks = z
  .string()
  .max(mostNetworks * 50)
  .transform((lines) => [...new Set(lines.split(/[\s,，;；]+/).filter((line) => line !== ''))])
  .refine((all) => all.length <= mostNetworks, `最多填写${mostNetworks}个网段`)
  .refine(
    (all) => all.every((network) => isNetwork(network)),
    '请输入正确的IP地址或网段，每行一个，如203.0.113.0/24；不限制请留空',
  )

/** Keys with which the server of an app, or of a partner, signs its calls of /open/api. */
export const openKeyList = defineList('/seeker/api/openKey', {
  menu,
  module,
  fields: {
    name: f.text('密钥名称', 40, { width: 180 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    appKey: f.no('App Key', { width: 210 }),
    organiseName: f.owner.organiseName,
    organiseId: f.ownerIds.organiseId,
    networks: f.value('允许的网段', z.array(z.string()), (all) => (all.length === 0 ? '不限制' : all.join('、')), {
      width: 200,
      about: 'empty: any address',
    }),
    oldUntil: f.time('旧密钥有效至', { optional: true, width: 180, about: 'null: only the current secret is valid' }),
    ...f.audit,
  },
  decided: [['name', 'organiseName'], ['status'], ['appKey'], ['networks'], ['oldUntil'], ['createdAt', 'createdBy']],
  filter: {
    keyword: { label: '名称/App Key', contains: ['name'], begins: ['appKey'] },
    owner: ['organise'],
    exact: ['status'],
  },
})
export type OpenKey = DataOf<typeof openKeyList.routes.list>['rows'][number]

const fields = { name: text(40, '密钥名称'), networks: networks.optional().describe('any address if omitted') }
const data = row({ id: z.string(), appKey: z.string(), secret: secretive(z.string()).describe('shown once') })

export const openKey = {
  ...openKeyList.routes,
  /** Not idempotent, like every reply with a secret: a replayed reply would require storing it. */
  add: change(
    '/seeker/api/openKey/save',
    '新增接口密钥',
    { organiseId: id, ...fields },
    { action: 'add', ownHands, data },
  ),
  edit: change('/seeker/api/openKey/update', '编辑接口密钥', { id, ...fields }, { ownHands }),
  rotate: change(
    '/seeker/api/openKey/rotate',
    '轮换接口密钥',
    {
      id,
      grace: secretGrace.wire.describe('hours'),
      keeps: keptSecret.wire.optional().describe('required while an old secret is valid and one is to stay valid'),
    },
    { ownHands, data },
  ),
  enable: change('/seeker/api/openKey/enable', '启用接口密钥', { id }, { ownHands }),
  /** These two only take access away, so that a leak can be stopped without a second factor. */
  disable: change('/seeker/api/openKey/disable', '停用接口密钥', { id }),
  endOld: change('/seeker/api/openKey/endOld', '作废旧接口密钥', { id }),
}
