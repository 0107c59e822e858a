import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { get, post } from '../kit/route.ts'
import { id, idList, row, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const labState = codes({
  waiting: { code: 1, label: '排队中', tone: 'off' },
  running: { code: 2, label: '试算中', tone: 'run' },
  done: { code: 3, label: '已完成', tone: 'ok' },
  failed: { code: 4, label: '失败', tone: 'bad' },
})
export const labFlow = labState.flow({
  // After a crash of a worker another worker restarts the job.
  start: { from: ['waiting', 'running'], to: 'running' },
  finish: { from: ['running'], to: 'done' },
  fail: { from: ['waiting', 'running'], to: 'failed' },
})

/** Amounts in yuan. */
const Parts = row({ electricity: z.string(), service: z.string(), occupancy: z.string(), total: z.string() })
const side = { count: z.int(), before: z.string(), after: z.string(), difference: z.string() }

export type LabResult = z.infer<typeof LabResult>
export const LabResult = row({
  count: z.int(),
  skipped: z.int().describe('charges that cannot be priced because their metering is implausible'),
  before: Parts.describe('as billed'),
  after: Parts,
  difference: z.string(),
  dearer: z.int(),
  cheaper: z.int(),
  siteCount: z.int(),
  sites: z.array(row({ name: z.string(), ...side })).describe('sites with the largest changes'),
  memberCount: z.int(),
  losers: z.array(row({ name: personal('name'), ...side })).describe('members who would have paid more'),
  gainers: z.array(row({ name: personal('name'), ...side })),
  lawHolds: z.boolean().describe('electricity and service fee are priced separately'),
})

export type LabRun = z.infer<typeof LabRun>
export const LabRun = row({
  id: z.string(),
  versionNo: z.int(),
  days: z.int(),
  state: labState.schema,
  reached: z.int().describe('in 1/1000'),
  priced: z.int(),
  reason: z.string().nullable(),
  createdBy: z.string(),
  createdAt: time,
  endedAt: time.nullable(),
})

const menu = menuKey.consumptionStandard

export const tariffLab = {
  list: get('/seeker/api/tariffLab/pageList/{id}', {
    access: { menu },
    params: row({ id }),
    query: PageQuery,
    data: page(LabRun),
  }),
  read: get('/seeker/api/tariffLab/detail/{id}', {
    access: { menu },
    params: row({ id }),
    data: LabRun.extend({ result: LabResult.nullable() }),
  }),
  /** Prices past charges by a version, for its devices and for the sites where it is assumed. */
  start: post('/seeker/api/tariffLab/start', {
    access: { menu, action: 'edit' },
    audit: { module: '消费标准', does: '试算' },
    idempotent: true,
    body: row({ id, versionId: id, days: whole(1, 90), siteIds: idList(50).optional() }),
    data: row({ id: z.string() }),
  }),
}
