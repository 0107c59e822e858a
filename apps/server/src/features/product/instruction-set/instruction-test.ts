import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import { enqueueCommand } from '../../../core/devices/command.store.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { portCommandS, startPort, stopPort } from '../_shared/port-command.ts'
import * as store from './instruction.store.ts'
import { testCommandOf } from './instruction-test.rules.ts'

type Test = Ctx<(typeof instructionSet)['test']>
type TestCommand = Exclude<ReturnType<typeof testCommandOf>, { problem: string }>

/** Sends one instruction to a device in the caller's scope, on the path of all commands. */
export async function testInstruction(ctx: Test): Promise<{ commandId: string }> {
  const { db, scope, body } = ctx
  const instruction = await store.instructionToTest(db, body.instructionId)
  if (instruction === undefined) throw notFound()
  const sent = testCommandOf(instruction)
  if ('problem' in sent) throw conflict(sent.problem)
  const [device] = await store.devicesOfSet(db, scope, instruction.setId, { deviceId: body.deviceId })
  if (device === undefined) throw notFound()
  ctx.setAuditDetail(`「${instruction.name}」（${instruction.commandWord}） ${device.deviceNo}`)
  // The operator watches the test, so it does not wait for an offline device and expires soon.
  if (!device.online) throw conflict('设备离线，不能在线测试')
  return { commandId: await give(ctx, sent) }
}

async function give(ctx: Test, sent: TestCommand): Promise<string> {
  const { db, actor, body } = ctx
  if (sent.does === 'startPort' || sent.does === 'stopPort' || sent.does === 'switchPort')
    return givePort(ctx, sent.does)
  const id = await enqueueCommand(db, {
    deviceId: body.deviceId,
    command: commandOf(sent),
    whenOffline: whenOffline.code.fail,
    livesS: portCommandS,
    by: { userId: actor.userId, name: actor.userName },
  })
  if (id === undefined) throw notFound()
  return id
}

function commandOf(sent: Exclude<TestCommand, { does: 'startPort' | 'stopPort' | 'switchPort' }>): DeviceCommand {
  if (sent.does === 'readAttributes') return { kind: 'readAttributes', identifiers: [...sent.identifiers] }
  if (sent.does === 'setClock') return { kind: 'setClock', atS: Math.floor(Date.now() / 1000) }
  return { kind: sent.does }
}

async function givePort(ctx: Test, does: 'startPort' | 'stopPort' | 'switchPort'): Promise<string> {
  const { deviceId, portNo, on, minutes }: BodyOf<typeof instructionSet.test> = ctx.body
  if (portNo === undefined) throw invalid('请填写端口号', 'portNo')
  if (does === 'switchPort' && on === undefined) throw invalid('请选择启动或停止', 'on')
  if (does === 'stopPort' || (does === 'switchPort' && on === false))
    return (await stopPort(ctx, { deviceId, portNo })).commandId
  if (minutes === undefined) throw invalid('请填写充电时长', 'minutes')
  return (await startPort(ctx, { deviceId, portNo, minutes })).commandId
}
