import { describe, expect, it } from 'vitest'
import { hexOf } from '../src/bytes.ts'
import { decodeDown, encodeAnswer, encodeCommand } from '../src/dny/down.ts'
import { identityOf, parseFrame, parsePhysicalId, physicalIdOf, physicalIdText } from '../src/dny/frame.ts'
import { decodeUp, encodeResult, encodeUp } from '../src/dny/up.ts'
import type { CommandResultEvent, DeviceCommand, DeviceEvent } from '../src/message.ts'
import { bytes, value } from './samples.ts'

const physicalId = 0x04ceaa40
const frame = (hex: string) => value(parseFrame(bytes(hex)))
const plain = (hex: string) => hex.replaceAll(' ', '')

/**
 * 'DNY' length id message command data sum. The sum of the first: 44+4e+59 = eb, 09+00 = 09, 40+aa+ce+04 = 1bc, 01+00,
 * 87: eb+09+1bc+01+87 = 338, low byte first 38 03. The other sums were computed the same way, outside this code.
 */
const restart = '444e59 0900 40aace04 0100 87 3803'
const restarted = '444e59 0a00 40aace04 0100 87 00 3903'

describe('physical id', () => {
  it('contains the number under the QR code', () => {
    expect(parsePhysicalId('40aace04')).toBe(physicalId)
    expect(identityOf(physicalId)).toEqual({ deviceKind: 4, printedNo: 13_544_000 })
    expect(physicalIdOf({ deviceKind: 4, printedNo: 13_544_000 })).toBe(physicalId)
    expect(physicalIdText(physicalId)).toBe('40aace04')
    expect(physicalIdText(0xffee_ddcc)).toBe('ccddeeff')
  })
  it.each(['', '40aace', '40aace0400', 'zzaace04'])('rejects %j', (text) =>
    expect(parsePhysicalId(text)).toBeUndefined(),
  )
})

const ups: [string, string, number, DeviceEvent][] = [
  [
    'register',
    '444e59 1100 40aace04 0201 20 8200 02 00 28 04 6500 f003',
    0x0102,
    {
      kind: 'register',
      firmware: '1.30',
      portCount: 2,
      subAddress: 0,
      model: '28',
      workMode: 4,
      powerBoardFirmware: '1.01',
    },
  ],
  [
    'heartbeat',
    '444e59 1000 40aace04 0700 21 a408 02 01 02 00 5a ea03',
    7,
    {
      kind: 'heartbeat',
      voltageDv: 2212,
      ports: [
        { name: 'working', raw: 1 },
        { name: 'connected', raw: 2 },
      ],
      localSignal: 0,
      temperatureC: 25,
    },
  ],
  [
    'report of a port',
    '444e59 3600 40aace04 0800 06 01 05 a005 2a00 01 2003 5203 0a03 1603 20251115084200000000000000000077 ' +
      '0a00 5203 9408 6b01 5a 00 80b11869 fe08',
    8,
    {
      kind: 'portReport',
      port: 2,
      status: { name: 'working', raw: 5 },
      durationS: 1440,
      energyWh: 420,
      start: { name: 'platform', raw: 1 },
      powerDw: 800,
      maxPowerDw: 850,
      minPowerDw: 778,
      meanPowerDw: 790,
      orderNo: '20251115084200000000000000000077',
      spanEnergyRaw: 10,
      peakPowerDw: 850,
      voltageDv: 2196,
      currentMa: 363,
      temperatureC: 25,
      portTemperatureC: undefined,
      deviceTimeS: 1_763_225_984,
    },
  ],
  [
    'card that asks for its balance',
    '444e59 1100 40aace04 0900 02 dd058d7a 00 ff 0000 ab05',
    9,
    { kind: 'swipe', card: 'dd058d7a', cardKind: 0, port: undefined, balanceFen: 0 },
  ],
  [
    'settlement of an offline card',
    '444e59 2e00 40aace04 0a00 03 201c 5203 7b00 00 00 dd058d7a 05 202511150842 0000dd058d7a40000030 4a03 80b11869 0000 e90a',
    10,
    {
      kind: 'settlement',
      durationS: 7200,
      maxPowerDw: 850,
      energyWh: 1230,
      port: 1,
      start: { name: 'offlineCard', raw: 0 },
      card: 'dd058d7a',
      stopReason: { name: 'unplugged', raw: 5 },
      orderNo: '2025111508420000dd058d7a40000030',
      earlyPowerDw: 842,
      deviceTimeS: 1_763_225_984,
      occupiedMin: 0,
    },
  ],
  [
    'alarm of a port',
    '444e59 0c00 40aace04 0b00 42 03 01 00 0403',
    11,
    { kind: 'alarm', alarm: { name: 'glueMelted', raw: 3 }, port: 2, inputs: 0 },
  ],
  ['question for the time', '444e59 0900 40aace04 0c00 22 de02', 12, { kind: 'clockAsked' }],
]

describe('frames from a device', () => {
  it.each(ups)('%s', (_, hex, messageId, event) => {
    const read = frame(hex)
    expect(read).toMatchObject({ physicalId, messageId })
    expect(value(decodeUp(read))).toEqual(event)
    expect(hexOf(value(encodeUp({ physicalId, messageId }, event)).bytes)).toBe(plain(hex))
  })

  const start = '444e59 2600 40aace04 0d00 82 02 e8030000 01 01 9600 1234567890ffffffffffffffffffffff 0000 0000 7a11'
  const answers: [string, string, string, CommandResultEvent][] = [
    ['restart', restart, restarted, { kind: 'commandResult', messageId: 1, ok: true, carriedOut: true }],
    [
      'start of a port with a fault',
      start,
      '444e59 1d00 40aace04 0d00 82 03 1234567890ffffffffffffffffffffff 01 0000 f00f',
      {
        kind: 'commandResult',
        messageId: 13,
        ok: false,
        carriedOut: true,
        refusal: { name: 'portFault', raw: 3 },
        port: 2,
        orderNo: '1234567890',
      },
    ],
    [
      'attributes',
      '444e59 0900 40aace04 0e00 90 4e03',
      '444e59 1400 40aace04 0e00 90 0300 0a00 14 0807 100e b400 5b04',
      {
        kind: 'commandResult',
        messageId: 14,
        ok: true,
        carriedOut: true,
        attributes: {
          unplugPower: 3,
          unplugTime: 10,
          floatPercent: 20,
          floatDetectTime: 1800,
          floatTime: 3600,
          heartbeatInterval: 180,
        },
      },
    ],
  ]
  it.each(answers)('answer to a %s', (_, request, hex, result) => {
    expect(value(decodeUp(frame(hex)))).toEqual(result)
    expect(hexOf(value(encodeResult(frame(request), result)).bytes)).toBe(plain(hex))
  })
})

describe('frames from the platform', () => {
  const commands: [string, string, number, DeviceCommand][] = [
    ['restart', restart, 1, { kind: 'restart' }],
    [
      'start by energy',
      '444e59 2600 40aace04 0d00 82 02 e8030000 01 01 9600 1234567890ffffffffffffffffffffff 0000 0000 7a11',
      13,
      { kind: 'startPort', port: 2, orderNo: '1234567890', limit: { by: 'energy', energyWh: 1500 }, balanceFen: 1000 },
    ],
  ]
  it.each(commands)('%s', (_, hex, messageId, command) => {
    const encoded = value(encodeCommand({ physicalId, messageId }, command))
    expect(encoded.map(({ bytes: all }) => hexOf(all))).toEqual([plain(hex)])
    expect(value(decodeDown(frame(hex)))).toEqual(command)
  })

  it('clock answer', () => {
    const answer = encodeAnswer(frame('444e59 0900 40aace04 0c00 22 de02'), { kind: 'setClock', atS: 1_763_225_984 })
    expect(hexOf(value(answer).bytes)).toBe('444e590d0040aace040c002280b118699404')
  })
})
