import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { menuKey } from '../menu-keys.ts'
import { deadLetterStatus } from './device-codes.ts'

const menu = menuKey.deviceManage
const module = '设备管理'
const { changeMany } = screenRoutes({ menu, module })

/** Device messages that could not be processed (dead letters). */
export const deadLetterList = defineList('/seeker/api/deviceDeadLetter', {
  menu,
  module,
  fields: {
    failedAt: f.time('失败时间', { width: 170 }),
    status: f.code('状态', deadLetterStatus, { width: 100 }),
    wire: f.shown('发送方', { width: 130, about: 'identifier reported by the sender' }),
    reason: f.shown('原因', { width: 200 }),
    frame: f.no('报文', { optional: true, width: 220 }),
    receivedAt: f.time('接收时间', { width: 170 }),
    handledBy: f.shown('处理人', { optional: true, width: 100 }),
    handledAt: f.time('处理时间', { optional: true, width: 170 }),
    content: f.data(z.record(z.string(), z.unknown())),
  },
  filter: { exact: ['status'] },
})
export type DeadLetter = DataOf<typeof deadLetterList.routes.list>['rows'][number]

/** For platform staff only: the owner of such a message is unknown. */
export const deadLetter = {
  ...deadLetterList.routes,
  replay: changeMany('/seeker/api/deviceDeadLetter/replay', '重新投递异常报文', {}),
  giveUp: changeMany('/seeker/api/deviceDeadLetter/giveUp', '放弃异常报文', {}),
}
