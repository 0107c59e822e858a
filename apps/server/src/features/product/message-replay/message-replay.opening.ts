import { replayMaxHours, replayMaxMessages } from '@wattdeck/contract/product/message-replay.ts'
import type { Db } from '../../../kit/db/db.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { messageIdAt } from '../../_shared/message-id.ts'
import * as store from './message-replay.store.ts'

export type ReplayParams = {
  source: { id: string } | { deviceNo: string }
  target: { id: string } | { deviceNo: string }
  fromMs: number
  toMs: number
  speed: number
  userId: string | null
  createdBy: string
}
export type Opened = { id: string; total: number; source: store.ReplayDevice; target: store.ReplayDevice }

/** Used by both the console and the command line. */
export async function openReplay(db: Db, params: ReplayParams): Promise<Opened> {
  const { fromMs, toMs, speed, userId, createdBy } = params
  if (toMs <= fromMs) throw invalid('结束时间须晚于开始时间', 'endAt')
  if (toMs - fromMs > replayMaxHours * 3_600_000) throw invalid(`时间范围不能超过${replayMaxHours}小时`, 'endAt')
  const source = await store.findReplayDevice(db, params.source)
  const target = await store.findReplayDevice(db, params.target)
  if (source === undefined || target === undefined) throw notFound()
  assertFits(source, target)
  // Messages that are still arriving are not replayed.
  const endId = messageIdAt(Math.min(toMs, Date.now()))
  const { count, first } = await store.countMessages(db, source.id, { from: messageIdAt(fromMs), to: endId })
  if (first === null) throw invalid('该时间段内没有上行报文，报文保留 7 天', 'beginAt')
  if (count > replayMaxMessages) throw invalid(`一次最多重放${replayMaxMessages}条报文，请缩小时间范围`, 'endAt')
  const values = { source, target, firstId: first, endId, speed, total: count, userId, createdBy }
  return { id: await store.addReplay(db, values), total: count, source, target }
}

/** The database enforces the first rule as well, for every caller. */
function assertFits(source: store.ReplayDevice, target: store.ReplayDevice): void {
  if (!target.test) throw conflict('目标设备不属于测试机构，不能接收重放')
  if (target.id === source.id) throw conflict('目标设备不能是原设备')
  if (target.device_type_id !== source.device_type_id || target.port_count !== source.port_count)
    throw conflict('目标设备须与原设备类型和端口数相同')
  if (target.barred) throw conflict('目标设备的凭证已吊销，不能接收重放')
}
