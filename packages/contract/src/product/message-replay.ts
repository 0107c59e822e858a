import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { created, screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword, moment, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const replayStatus = codes({
  waiting: { code: 0, label: '排队中', tone: 'book' },
  running: { code: 1, label: '重放中', tone: 'run' },
  finished: { code: 2, label: '已完成', tone: 'ok' },
  cancelled: { code: 3, label: '已取消', tone: 'off' },
  stopped: { code: 4, label: '已中止', tone: 'bad' },
})
export const replayFlow = replayStatus.flow({
  begin: { from: ['waiting'], to: 'running' },
  finish: { from: ['running'], to: 'finished' },
  cancel: { from: ['waiting', 'running'], to: 'cancelled' },
  stop: { from: ['waiting', 'running'], to: 'stopped' },
})

/** Replay speed as a multiple of the original. */
export const replaySpeed = codes({
  max: { code: 0, label: '尽快' },
  real: { code: 1, label: '原速' },
  ten: { code: 10, label: '10 倍速' },
  sixty: { code: 60, label: '60 倍速' },
})

/** Limits of one replay. */
export const replayMaxHours = 24
export const replayMaxMessages = 20_000
/** The maximum number of rows of each kind in a comparison. */
export const comparedRows = 200

export type MessageReplay = z.infer<typeof MessageReplay>
export const MessageReplay = row({
  id: z.string(),
  deviceId: z.string(),
  deviceNo: z.string(),
  targetDeviceId: z.string(),
  targetDeviceNo: z.string(),
  targetOrganiseName: z.string(),
  beginAt: time.describe('receive time of the first message'),
  endAt: time,
  speed: replaySpeed.schema,
  status: replayStatus.schema,
  reason: z.string().nullable(),
  total: z.int(),
  done: z.int(),
  createdBy: z.string(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
})

/** A similar device of a test organisation. */
export type ReplayTarget = z.infer<typeof ReplayTarget>
export const ReplayTarget = row({
  id: z.string(),
  deviceNo: z.string(),
  name: z.string(),
  organiseName: z.string(),
})

const Content = z.record(z.string(), z.unknown())

/** The original effects of the messages at the source device, and their effects now at the target device. */
export type ReplayComparison = z.infer<typeof ReplayComparison>
export const ReplayComparison = row({
  messages: row({ sent: z.int(), taken: z.int() }),
  events: z.array(
    row({ kind: z.string(), portNo: z.int().nullable(), detail: Content, before: z.int(), after: z.int() }),
  ),
  records: z.array(
    row({
      id: z.string(),
      kind: z.string(),
      portNo: z.int().nullable(),
      same: z.boolean(),
      before: Content.nullable(),
      after: Content.nullable(),
    }),
  ),
  ports: z.array(
    row({
      portNo: z.int(),
      statusBefore: z.int(),
      statusAfter: z.int(),
      energyWhBefore: z.int().nullable(),
      energyWhAfter: z.int().nullable(),
      minutesBefore: z.int().nullable(),
      minutesAfter: z.int().nullable(),
    }),
  ),
  sentCommands: z
    .array(row({ id: z.string(), at: time, kind: z.string(), portNo: z.int().nullable(), content: Content }))
    .describe('commands sent to the device meanwhile; they are not replayed'),
})

const menu = menuKey.deviceManage
const module = '设备管理'
const { read, change } = screenRoutes({ menu, module })

/**
 * Replays the messages of a device at a device of a test organisation, to compare their effects. The caller must have
 * both devices in scope.
 */
export const messageReplay = {
  list: read('/seeker/api/messageReplay/pageList/{deviceId}', {
    params: row({ deviceId: id }),
    query: PageQuery.extend({ status: replayStatus.wire.optional() }),
    data: page(MessageReplay),
  }),
  targets: get('/seeker/api/messageReplay/targets', {
    access: { menu, action: 'control' },
    query: row({ deviceId: id, keyword: keyword.optional().describe('prefix of the device number') }),
    data: z.array(ReplayTarget),
  }),
  read: read('/seeker/api/messageReplay/detail/{id}', { params: row({ id }), data: MessageReplay }),
  compare: read('/seeker/api/messageReplay/compare/{id}', {
    params: row({ id }),
    data: ReplayComparison,
  }),
  start: change(
    '/seeker/api/messageReplay/start',
    '重放设备报文',
    {
      deviceId: id,
      targetDeviceId: id,
      beginAt: moment,
      endAt: moment,
      speed: replaySpeed.wire,
    },
    { action: 'control', idempotent: true, data: created },
  ),
  cancel: change('/seeker/api/messageReplay/cancel', '取消重放设备报文', { id }, { action: 'control' }),
}
