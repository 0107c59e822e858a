import { z } from 'zod'
import { basicServiceStatus } from '../common.ts'
import { get } from '../kit/route.ts'
import { row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export type WorkTable = z.infer<typeof WorkTable>
export const WorkTable = row({
  organiseName: z.string(),
  basicServiceStatus: basicServiceStatus.schema,
  recentLogins: z.array(row({ at: time, ip: z.string().nullable(), does: z.string(), success: z.boolean() })),
  toDo: z
    .array(row({ title: z.string(), count: z.int(), route: z.string() }))
    .describe('what waits for this person, by granted menu'),
})

export const workTable = {
  read: get('/seeker/api/workTable', { access: { menu: menuKey.workTable }, data: WorkTable }),
}
