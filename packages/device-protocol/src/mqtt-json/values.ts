import { plugStatus } from '../plug-status.ts'
import { startMode } from '../start-mode.ts'
import { coded, field, int, text } from './json.ts'

/** Values shared by several messages, with their limits. */

export const protocolVersion = 1
export const maxPorts = 24
const maxCount = 0xffff_ffff

export const count = int(1, maxCount)
/** 22 bits: with a 32-bit sequence number, both fit into a 62-bit integer. */
const maxBoots = 0x3f_ffff
export const bootId = int(1, maxBoots)
export const timeS = int(0, maxCount)
export const port = int(1, maxPorts)
export const voltageDv = int(0, 10_000)
export const temperatureC = int(-60, 200)
export const powerDw = int(0, 10_000_000)
export const energyWh = int(0, 1_000_000_000)
export const durationS = int(0, 31_536_000)
export const fen = int(0, 1_000_000_000)
export const csq = int(0, 99)
export const word = text(/^[!-~]{1,32}$/)
export const orderNo = text(/^[0-9A-Za-z-]{1,36}$/)
export const card = text(/^(?:[0-9a-f]{2}){4,16}$/)
export const commandId = text(/^[0-9A-Za-z-]{1,36}$/)
export const identifier = /^[a-z][0-9A-Za-z]{0,31}$/
export const maxAttributes = 32

export const status = coded((raw) => plugStatus.read('mqttJson', raw))
export const start = coded((raw) => startMode.read('mqttJson', raw))

/** Part of every message. */
export const version = { version: field('v', int(protocolVersion, protocolVersion)) }
