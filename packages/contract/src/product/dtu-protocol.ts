import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { id, keyword, lines, row, text, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { byPlatform, catalogueCode, choice, direction, madeBy } from './catalogue.ts'

export const transport = codes({
  tcp: { code: 1, label: 'TCP' },
  udp: { code: 2, label: 'UDP' },
  http: { code: 3, label: 'HTTP' },
  https: { code: 4, label: 'HTTPS' },
  xmpp: { code: 5, label: 'XMPP' },
  mqtt: { code: 6, label: 'MQTT' },
})

export const accessWay = codes({
  own: { code: 0, label: '自建' },
  cloud: { code: 1, label: '云IoT' },
})

/** The code that understands a protocol. One without can be described, and no device can speak it yet. */
export const protocolAdapter = codes({
  dny: { code: 'dny', label: 'DNY 二进制' },
  mqttJson: { code: 'mqtt-json', label: 'MQTT JSON' },
  ocpp16: { code: 'ocpp16', label: 'OCPP 1.6J' },
  ykc: { code: 'ykc', label: '云快充 二进制' },
})

export type DtuProtocol = z.infer<typeof DtuProtocol>
export const DtuProtocol = row({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  version: z.string(),
  adapter: protocolAdapter.schema.nullable(),
  transport: transport.schema,
  accessWay: accessWay.schema,
  endpoint: z.string().nullable(),
  heartbeatS: z.int(),
  missedHeartbeats: z.int().describe('so many missed heartbeats make a device offline'),
  frameFormat: z.string().nullable(),
  remark: z.string().nullable(),
  typeNames: z.array(z.string()),
  setCount: z.int(),
  status: enabledStatus.schema,
  ...madeBy,
})

/** A frame taken apart: how it stands on the wire, and what it says. */
export type DecodedFrame = z.infer<typeof DecodedFrame>
export const DecodedFrame = row({
  problem: z.string().nullable().describe('why it cannot be understood; what could be read stands there all the same'),
  kind: z.string().nullable().describe('what kind of message it is, in words'),
  parts: z.array(row({ label: z.string(), raw: z.string(), note: z.string().nullable() })),
  fields: z.array(row({ name: z.string(), label: z.string(), value: z.string() })),
})

const menu = menuKey.dtuProtocol
const module = 'DTU协议'
const fields = {
  name: text(40, '协议名称'),
  version: text(20, '版本'),
  adapter: protocolAdapter.wire.optional(),
  transport: transport.wire,
  accessWay: accessWay.wire,
  endpoint: text(120, '端口/主题').optional(),
  heartbeatS: whole(5, 86_400),
  missedHeartbeats: whole(1, 20),
  frameFormat: lines(500, '帧格式').optional(),
  remark: lines(300, '备注').optional(),
}

export const dtuProtocol = {
  list: get('/seeker/api/dtuProtocol/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: keyword.optional().describe('a part of the name, or how the code begins'),
      transport: transport.wire.optional(),
      accessWay: accessWay.wire.optional(),
      status: enabledStatus.wire.optional(),
    }),
    data: page(DtuProtocol),
  }),
  /** Those in use, to choose from. */
  options: get('/seeker/api/dtuProtocol/options', {
    access: { menu: [menu, menuKey.deviceType, menuKey.instructionSet] },
    data: z.array(row({ ...choice, adapter: protocolAdapter.schema.nullable() })),
  }),
  /** 报文调试. The frame is neither stored nor sent anywhere; that somebody looked at one stands in the log. */
  decode: post('/seeker/api/dtuProtocol/decode', {
    access: { menu },
    audit: { module, does: '调试报文' },
    body: row({ id, direction: direction.wire, frame: lines(8000, '报文') }),
    data: DecodedFrame,
  }),
  add: post('/seeker/api/dtuProtocol/save', {
    access: byPlatform(menu, 'add'),
    audit: { module, does: '新增协议' },
    idempotent: true,
    body: row({ code: catalogueCode('协议编码'), ...fields }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/dtuProtocol/update', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '编辑协议' },
    body: row({ id, ...fields }),
    data: done,
  }),
  toggle: post('/seeker/api/dtuProtocol/toggle', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '启停协议' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/dtuProtocol/delete', {
    access: byPlatform(menu, 'delete'),
    audit: { module, does: '删除协议' },
    body: row({ id }),
    data: done,
  }),
}
