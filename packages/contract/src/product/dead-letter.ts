import { z } from 'zod'
import { page, PageQuery } from '../kit/page.ts'
import { get, post } from '../kit/route.ts'
import { idList, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { deadLetterStatus } from './device-codes.ts'

/** A message of a device that could not be taken in. */
export type DeadLetter = z.infer<typeof DeadLetter>
export const DeadLetter = row({
  id: z.string(),
  wire: z.string().describe('what the sender calls itself'),
  reason: z.string(),
  content: z.record(z.string(), z.unknown()),
  frame: z.string().nullable(),
  receivedAt: time,
  failedAt: time,
  status: deadLetterStatus.schema,
  handledBy: z.string().nullable(),
  handledAt: time.nullable(),
})

const menu = menuKey.deviceManage
const module = '设备管理'

/** For people of the platform: nobody knows yet whose such a message is. */
export const deadLetter = {
  list: get('/seeker/api/deviceDeadLetter/pageList', {
    access: { menu },
    query: PageQuery.extend({ status: deadLetterStatus.wire.optional() }),
    data: page(DeadLetter),
  }),
  replay: post('/seeker/api/deviceDeadLetter/replay', {
    access: { menu, action: 'edit' },
    audit: { module, does: '重新投递异常报文' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  giveUp: post('/seeker/api/deviceDeadLetter/giveUp', {
    access: { menu, action: 'edit' },
    audit: { module, does: '放弃异常报文' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
}
