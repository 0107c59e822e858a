import { direction } from '@wattdeck/contract/product/catalogue.ts'
import type { InstructionTestField } from '@wattdeck/contract/product/instruction-set.ts'
import { dnyAttributeGroups } from '@wattdeck/device-protocol/dny/attributes.ts'
import { dnyCommand } from '@wattdeck/device-protocol/dny/commands.ts'
import { ykcType } from '@wattdeck/device-protocol/ykc/types.ts'

/** How the command path can send an instruction as a test, and the input that it needs. */
type TestCommand =
  | { does: 'query' | 'restart' | 'setClock' }
  | { does: 'readAttributes'; identifiers: readonly string[] }
  /** One command word serves for both: it switches the port on or off. */
  | { does: 'switchPort' }
  | { does: 'startPort' }
  | { does: 'stopPort' }
type Unsent = { problem: string }

const hex = (code: number) => `0x${code.toString(16)}`
const [clock, restart] = [{ does: 'setClock' }, { does: 'restart' }] as const
const [settings, elsewhere] = ['请在「属性设置」中下发参数', '请在「设备管理」中停用或恢复设备']

const readGroup = (read: number): TestCommand => ({
  does: 'readAttributes',
  identifiers: dnyAttributeGroups
    .filter((group) => group.read === read)
    .flatMap(({ attributes }) => attributes.map(({ identifier }) => identifier)),
})

/** By adapter of the protocol, then by the command word in lower case. */
const words: Readonly<Record<string, Readonly<Record<string, TestCommand | Unsent>>>> = {
  dny: {
    [hex(dnyCommand.query)]: { does: 'query' },
    [hex(dnyCommand.port)]: { does: 'switchPort' },
    [hex(dnyCommand.restart)]: restart,
    [hex(dnyCommand.readCharging)]: readGroup(dnyCommand.readCharging),
    [hex(dnyCommand.readProtection)]: readGroup(dnyCommand.readProtection),
    [hex(dnyCommand.readLimits)]: readGroup(dnyCommand.readLimits),
    [hex(dnyCommand.writeCharging)]: { problem: settings },
    [hex(dnyCommand.writeProtection)]: { problem: settings },
    [hex(dnyCommand.writeLimits)]: { problem: settings },
    [hex(dnyCommand.changePort)]: { problem: '会改变正在进行的充电，不能在线测试' },
  },
  'mqtt-json': {
    query: { does: 'query' },
    restart,
    start: { does: 'startPort' },
    end: { does: 'stopPort' },
    clock,
    stop: { problem: elsewhere },
    restore: { problem: elsewhere },
    get: { problem: '请在「属性设置」中读取参数' },
    set: { problem: settings },
    limit: { problem: '会改变正在进行的充电，不能在线测试' },
  },
  ocpp16: {
    triggermessage: { does: 'query' },
    reset: restart,
    remotestarttransaction: { does: 'startPort' },
    remotestoptransaction: { does: 'stopPort' },
    changeavailability: { problem: elsewhere },
    getconfiguration: { problem: '请在「属性设置」中读取参数' },
    changeconfiguration: { problem: settings },
  },
  ykc: {
    [hex(ykcType.askReport)]: { does: 'query' },
    [hex(ykcType.restart)]: restart,
    [hex(ykcType.stop)]: { does: 'stopPort' },
    [hex(ykcType.setClock)]: clock,
    [hex(ykcType.start)]: { problem: '云快充设备只能按金额结束充电，不能按时长启动测试' },
    [hex(ykcType.setWork)]: { problem: elsewhere },
    [hex(ykcType.setTariff)]: { problem: '请在「消费标准」中下发计费模型' },
  },
}

type Instruction = { commandWord: string; direction: number; adapter: string | null }

/** How the command path sends the instruction, or why it cannot. */
export function testCommandOf({ commandWord, direction: way, adapter }: Instruction): TestCommand | Unsent {
  if (way === direction.code.up) return { problem: '上行指令由设备上报，不能下发' }
  if (adapter === null) return { problem: '指令集未指定已接入的协议，不能在线测试' }
  return words[adapter]?.[commandWord.trim().toLowerCase()] ?? { problem: '平台尚不能下发该指令' }
}

const testFields: Readonly<Record<TestCommand['does'], readonly InstructionTestField[]>> = {
  query: [],
  restart: [],
  setClock: [],
  readAttributes: [],
  switchPort: ['portNo', 'on', 'minutes'],
  startPort: ['portNo', 'minutes'],
  stopPort: ['portNo'],
}

/** What the page shows for the instruction. */
export function testOf(instruction: Instruction): { test: InstructionTestField[] | null; testProblem: string | null } {
  const sent = testCommandOf(instruction)
  return 'problem' in sent
    ? { test: null, testProblem: sent.problem }
    : { test: [...testFields[sent.does]], testProblem: null }
}
