import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { sql } from 'kysely'
import { enqueueCommand } from '../../../core/devices/command.store.ts'
import { portProblem } from '../../../core/devices/port-problem.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import type { Db } from '../../../kit/db/db.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'

/** Commands that a user sends to one port. */
type Ctx = { db: Db; actor: Actor }

/** Seconds. Short, because a late test command must not start a charge. */
export const portCommandS = 60

/** A device in scope, with the requested port. */
export async function requirePort(db: Db, deviceId: string, portNo: number) {
  const row = await db
    .selectFrom('device')
    .innerJoin('port', (join) =>
      join.onRef('port.device_id', '=', 'device.id').onRef('port.port_no', '<=', 'device.port_count'),
    )
    .select(['device.id', 'device.online', 'device.status', 'port.status as portStatus', 'port.enabled as portEnabled'])
    .select(sql<boolean>`device.line_confirmed_at is not null`.as('isConfirmed'))
    .select(['port.order_no as orderNo', 'device.device_no as deviceNo', 'device.adapter'])
    .where('device.id', '=', deviceId)
    .where('device.deleted_at', 'is', null)
    .where('port.port_no', '=', portNo)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

type Port = Parameters<typeof portProblem>[0] & { adapter: string }
/** Why a test charge cannot start on a port, as text. */
const startProblem = (port: Port): string | undefined =>
  // This protocol ends a charge by money only, and a test must end by itself.
  port.adapter === 'ykc' ? '云快充设备只能按金额结束充电，不能按时长启动测试' : portProblem(port)

/** Digits only, which every protocol can carry: the time and six random digits. The prefix 9 marks a charge without a payer. */
function testOrderNo(nowMs: number, chance: number): string {
  const shanghai = new Date(nowMs + 8 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return `9${shanghai}${String(Math.floor(chance * 1e6)).padStart(6, '0')}`
}

type Start = { deviceId: string; portNo: number; minutes: number; codeId?: string | undefined }
/** Starts a charge without a payer, which ends by itself. */
export async function startPort({ db, actor }: Ctx, { deviceId, portNo, minutes, codeId }: Start) {
  const port = await requirePort(db, deviceId, portNo)
  const problem = startProblem(port)
  if (problem !== undefined) throw conflict(problem)
  const commandId = await enqueueCommand(db, {
    deviceId,
    command: {
      kind: 'startPort',
      port: portNo,
      orderNo: testOrderNo(Date.now(), Math.random()),
      limit: { by: 'duration', durationS: minutes * 60 },
    },
    whenOffline: whenOffline.code.fail,
    livesS: portCommandS,
    by: { userId: actor.userId, name: actor.userName },
    codeId,
  })
  if (commandId === undefined) throw notFound()
  return { commandId, text: `${port.deviceNo} ${portNo}号端口 ${minutes}分钟` }
}

/** Stops only the order that is running. */
export async function stopPort({ db, actor }: Ctx, { deviceId, portNo }: { deviceId: string; portNo: number }) {
  const { orderNo, deviceNo } = await requirePort(db, deviceId, portNo)
  if (orderNo === null) throw conflict('端口没有正在进行的订单')
  const commandId = await enqueueCommand(db, {
    deviceId,
    command: { kind: 'stopPort', port: portNo, orderNo },
    whenOffline: whenOffline.code.fail,
    livesS: portCommandS,
    by: { userId: actor.userId, name: actor.userName },
  })
  if (commandId === undefined) throw notFound()
  return { commandId, text: `${deviceNo} ${portNo}号端口 订单${orderNo}` }
}
