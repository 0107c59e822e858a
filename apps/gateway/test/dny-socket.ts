import { connect } from 'node:net'
import type { DeviceAnswer, DeviceCommand, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { decodeDown } from '@wattdeck/device-protocol/dny/down.ts'
import { parsePhysicalId } from '@wattdeck/device-protocol/dny/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/dny/stream.ts'
import { encodeResult, encodeUp } from '@wattdeck/device-protocol/dny/up.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { until } from '../../server/test/harness/until.ts'

type Habits = {
  /** Source address; all of 127.0.0.0/8 is this machine. */
  localAddress?: string
  /** Answers queries and commands like a responsive device. */
  isAwake?: boolean
}

/** A scripted DNY socket: sends given events with given message ids, and records all answers. */
export function openSocket(port: number, wireId: string, { localAddress, isAwake = false }: Habits = {}) {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) })
  const stream = newStream()
  const answers: DeviceAnswer[] = []
  const commands: DeviceCommand[] = []
  let isOpen = true
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOpen = false
  })
  const say = (event: DeviceEvent, messageId: number) => {
    const frame = encodeUp({ physicalId: parsePhysicalId(wireId) ?? 0, messageId }, event)
    if (!frame.ok) throw new Error(frame.reason)
    socket.write(frame.value.bytes)
  }
  const beat = () => say({ kind: 'heartbeat', ports: [plugStatus.say('dny', 'free')], voltageDv: 2200 }, 1)
  socket.on('data', (chunk: Uint8Array) => {
    for (const item of frames(stream, chunk)) {
      const down = item.kind === 'frame' ? decodeDown(item.frame) : undefined
      if (item.kind !== 'frame' || down?.ok !== true) continue
      if (down.value.kind === 'ack' || down.value.kind === 'swipeAnswer') answers.push(down.value)
      else if (down.value.kind !== 'setClock') commands.push(down.value)
      if (!isAwake) continue
      if (down.value.kind === 'query') beat()
      if (down.value.kind !== 'startPort' && down.value.kind !== 'stopPort') continue
      const { port: portNo, orderNo } = down.value
      const result = { kind: 'commandResult', ok: true, carriedOut: true, port: Number(portNo), orderNo } as const
      const answer = encodeResult(item.frame, result)
      if (answer.ok) socket.write(answer.value.bytes)
    }
  })
  return {
    received: answers,
    commands,
    say,
    beat,
    isOpen: () => isOpen,
    closes: () => until(() => Promise.resolve(!isOpen || undefined)),
    end: () => socket.destroy(),
  }
}
