import type { DecodedFrame, DtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { direction } from '@wattdeck/contract/product/catalogue.ts'
import { bytesOfHex, hexOf } from '@wattdeck/device-protocol/bytes.ts'
import * as dnyDown from '@wattdeck/device-protocol/dny/down.ts'
import {
  deviceKinds,
  frameBytesAt,
  frameOf,
  identityOf,
  minFrameBytes,
  sumHolds,
  sumOf,
} from '@wattdeck/device-protocol/dny/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/dny/stream.ts'
import * as dnyUp from '@wattdeck/device-protocol/dny/up.ts'
import * as mqttDown from '@wattdeck/device-protocol/mqtt-json/down.ts'
import { readMessage } from '@wattdeck/device-protocol/mqtt-json/json.ts'
import * as mqttUp from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { parseChargePointCall, parsePlatformCall } from '@wattdeck/device-protocol/ocpp16/calls.ts'
import { type OcppFrame, readFrame } from '@wattdeck/device-protocol/ocpp16/frame.ts'
import { eventOf } from '@wattdeck/device-protocol/ocpp16/up.ts'
import type { Outcome } from '@wattdeck/device-protocol/outcome.ts'
import { decodeDown as ykcDown } from '@wattdeck/device-protocol/ykc/down-read.ts'
import * as ykc from '@wattdeck/device-protocol/ykc/frame.ts'
import { decodeUp as ykcUp } from '@wattdeck/device-protocol/ykc/up.ts'
import { kindOf, reasonText, labelFields } from './message-labels.ts'

type Part = DecodedFrame['parts'][number]
type Way = (typeof direction.options)[number]['value']

/** Splits a pasted frame into its parts, with the decoder of the gateway. */
export function decodeFrame(adapter: NonNullable<DtuProtocol['adapter']>, way: Way, text: string): DecodedFrame {
  if (adapter === 'ocpp16') return decodeOcpp(way, text)
  if (adapter === 'ykc') return decodeYkc(way, text)
  return adapter === 'dny' ? decodeDny(way, text) : decodeJson(way, text)
}

const broken = (problem: string, parts: Part[] = []): DecodedFrame => ({ problem, kind: null, parts, fields: [] })

function toDecodedFrame(outcome: Outcome<object>, parts: Part[]): DecodedFrame {
  if (!outcome.ok) return broken(reasonText(outcome.reason), parts)
  return { problem: null, kind: kindOf(outcome.value), parts, fields: labelFields(outcome.value) }
}

/** Bytes in pairs, for comparison by eye. */
const pairs = (bytes: Iterable<number>) => (hexOf(bytes).toUpperCase().match(/../g) ?? []).join(' ')
const word = (value: number) => value.toString(16).toUpperCase().padStart(4, '0')

function decodeDny(way: Way, text: string): DecodedFrame {
  const bytes = bytesOfHex(text)
  if (bytes === undefined) return broken('报文不是十六进制文本')
  // Texts of the modem are not framed.
  const [item] = frames(newStream(), bytes)
  if (item !== undefined && item.kind !== 'frame' && way === direction.code.up)
    return toDecodedFrame({ ok: true, value: item }, [{ label: '文本', raw: pairs(bytes), note: null }])
  if (bytes.length < minFrameBytes) return broken(`一帧至少 ${minFrameBytes} 字节，实际 ${bytes.length} 字节`)
  const parts = dnyParts(bytes)
  const problem = dnyProblem(bytes)
  if (problem !== undefined) return broken(problem, parts)
  const frame = frameOf(bytes)
  return toDecodedFrame(way === direction.code.up ? dnyUp.decodeUp(frame) : dnyDown.decodeDown(frame), parts)
}

function dnyParts(bytes: Uint8Array): Part[] {
  const { physicalId, messageId, command, data } = frameOf(bytes)
  const { deviceKind, printedNo } = identityOf(physicalId)
  const part = (label: string, from: number, to: number, note: string | null = null): Part => ({
    label,
    raw: pairs(bytes.subarray(from, to)),
    note,
  })
  const end = bytes.length - 2
  return [
    part('帧头', 0, 3, 'DNY'),
    part('长度', 3, 5, `整帧 ${frameBytesAt(bytes, 0) ?? '长度无效'} 字节`),
    part('物理ID', 5, 9, `${deviceKinds[deviceKind]?.label ?? '未知设备'}，编号 ${printedNo}`),
    part('消息ID', 9, 11, String(messageId)),
    part('命令', 11, 12, `0x${command.toString(16).toUpperCase().padStart(2, '0')}`),
    part('数据', 12, end, `${data.length} 字节`),
    part('累加和', end, bytes.length, word(sumOf(bytes, 0, end))),
  ]
}

function dnyProblem(bytes: Uint8Array): string | undefined {
  if (hexOf(bytes.subarray(0, 3)) !== '444e59') return '帧头不是 44 4E 59（DNY）'
  const whole = frameBytesAt(bytes, 0)
  if (whole === undefined) return '长度字段无效'
  if (whole !== bytes.length) return `长度字段表示整帧 ${whole} 字节，实际 ${bytes.length} 字节`
  if (sumHolds(bytes, 0, whole)) return undefined
  const sum = sumOf(bytes, 0, whole - 2)
  return `累加和不正确，应为 ${pairs([sum % 256, Math.floor(sum / 256)])}`
}

function decodeYkc(way: Way, text: string): DecodedFrame {
  const bytes = bytesOfHex(text)
  if (bytes === undefined) return broken('报文不是十六进制文本')
  if (bytes.length < ykc.minFrameBytes) return broken(`一帧至少 ${ykc.minFrameBytes} 字节，实际 ${bytes.length} 字节`)
  const parts = ykcParts(bytes)
  const problem = ykcProblem(bytes)
  if (problem !== undefined) return broken(problem, parts)
  const frame = ykc.frameOf(bytes)
  if (way === direction.code.down) return toDecodedFrame(ykcDown(frame), parts)
  const up = ykcUp(frame)
  return toDecodedFrame(up.ok ? { ok: true, value: { ...up.value.event, pileNo: up.value.pileNo } } : up, parts)
}

function ykcParts(bytes: Uint8Array): Part[] {
  const { seq, encryption, type, body } = ykc.frameOf(bytes)
  const part = (label: string, from: number, to: number, note: string): Part => ({
    label,
    raw: pairs(bytes.subarray(from, to)),
    note,
  })
  const end = bytes.length - 2
  return [
    part('起始标志', 0, 1, '68'),
    part('长度', 1, 2, `整帧 ${ykc.frameBytesAt(bytes, 0) ?? '长度无效'} 字节`),
    part('序列号', 2, 4, String(seq)),
    part('加密标志', 4, 5, encryption === 0 ? '不加密' : '加密'),
    part('帧类型', 5, 6, `0x${type.toString(16).toUpperCase().padStart(2, '0')}`),
    part('消息体', 6, end, `${body.length} 字节`),
    part('CRC', end, bytes.length, word(ykc.crcOfFrame(bytes))),
  ]
}

function ykcProblem(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== ykc.startByte) return '起始标志不是 68'
  const whole = ykc.frameBytesAt(bytes, 0)
  if (whole === undefined) return '长度字段无效'
  if (whole !== bytes.length) return `长度字段表示整帧 ${whole} 字节，实际 ${bytes.length} 字节`
  if (ykc.crcHolds(bytes, 0, whole)) return undefined
  const crc = ykc.crcOfFrame(bytes)
  return `CRC 不正确，应为 ${pairs([crc % 256, Math.floor(crc / 256)])}`
}

function decodeJson(way: Way, text: string): DecodedFrame {
  const message = readMessage(text)
  if (!message.ok) return broken(reasonText(message.reason))
  const parts = Object.entries(message.value)
    .slice(0, 100)
    .map(([label, value]) => ({ label, raw: JSON.stringify(value), note: null }))
  if (way === direction.code.up) return toDecodedFrame(mqttUp.decodeUp(text), parts)
  const down = mqttDown.decodeDown(text)
  if (!down.ok) return toDecodedFrame(down, parts)
  if (down.value.kind === 'answer') return toDecodedFrame({ ok: true, value: down.value.answer }, parts)
  const { command, ...sent } = down.value.sent
  return toDecodedFrame({ ok: true, value: { ...command, ...sent } }, parts)
}

const ocppTypes: Readonly<Record<OcppFrame['kind'], readonly [code: number, label: string]>> = {
  call: [2, '请求'],
  result: [3, '应答'],
  error: [4, '错误'],
}

function ocppParts({ kind, id, ...rest }: OcppFrame): Part[] {
  const [code, label] = ocppTypes[kind]
  const labels: Readonly<Record<string, string>> = {
    action: '动作',
    payload: '内容',
    code: '错误码',
    description: '描述',
  }
  const others = Object.entries(rest).map(([name, value]) => ({
    label: labels[name] ?? name,
    raw: textOf(value),
    note: null,
  }))
  return [
    { label: '类型', raw: String(code), note: label },
    { label: '消息ID', raw: textOf(id), note: null },
    ...others,
  ]
}
const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))

function decodeOcpp(way: Way, text: string): DecodedFrame {
  const frame = readFrame(text)
  if (!frame.ok) return broken(reasonText(frame.reason))
  const parts = ocppParts(frame.value)
  // The meaning of a reply depends on its request, so the payload is shown unchanged.
  if (frame.value.kind !== 'call') {
    const payload = frame.value.kind === 'result' ? (Object(frame.value.payload) as object) : {}
    return { ...toDecodedFrame({ ok: true, value: payload }, parts), kind: ocppTypes[frame.value.kind][1] }
  }
  if (way === direction.code.down) {
    const command = parsePlatformCall(frame.value)
    return toDecodedFrame(
      command.ok ? { ok: true, value: { kind: command.value.action, ...command.value.payload } } : command,
      parts,
    )
  }
  const call = parseChargePointCall(frame.value)
  if (!call.ok) return toDecodedFrame(call, parts)
  // The message does not contain the port count.
  const { portCount: _none, ...event } = { portCount: 0, ...eventOf(call.value, { portCount: 0 }) }
  return toDecodedFrame({ ok: true, value: event }, parts)
}
