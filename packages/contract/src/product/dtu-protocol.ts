import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { defineCrud } from '../kit/crud.ts'
import { f } from '../kit/fields.ts'
import { type DataOf, get, post } from '../kit/route.ts'
import { id, lines, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { catalogueCode, choice, direction } from './catalogue.ts'

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

/** The code that decodes a protocol. A protocol without an adapter can be described, but no device can use it yet. */
export const protocolAdapter = codes({
  dny: { code: 'dny', label: 'DNY 二进制' },
  mqttJson: { code: 'mqtt-json', label: 'MQTT JSON' },
  ocpp16: { code: 'ocpp16', label: 'OCPP 1.6J' },
  ykc: { code: 'ykc', label: '云快充 二进制' },
})

const fields = {
  name: f.text('协议名称', 40, { width: 120 }),
  code: f.id('协议编码', catalogueCode('协议编码'), {
    width: 130,
    unique: true,
    help: '大写字母、数字或短横线，保存后不能修改',
  }),
  version: f.text('版本', 20, { width: 65 }),
  transport: f.code('传输', transport, { width: 75, section: '接入', initial: transport.code.tcp }),
  accessWay: f.code('接入方式', accessWay, { width: 85, initial: accessWay.code.own }),
  endpoint: f.text('端口/主题', 120, { optional: true, width: 120 }),
  heartbeatS: f.whole('心跳间隔', 5, 86_400, { width: 85, unit: '秒', initial: 180 }),
  adapter: f.code('解析程序', protocolAdapter, {
    optional: true,
    width: 110,
    help: '留空则只登记，暂不能接入设备',
  }),
  status: f.code('状态', enabledStatus, { width: 70 }),
  typeNames: f.names('设备类型'),
  setCount: f.count('指令集数', { width: 85, hidden: true }),
  missedHeartbeats: f.whole('离线判定', 1, 20, {
    width: 110,
    hidden: true,
    unit: '次',
    initial: 2,
    help: '连续漏收这么多次心跳即视为离线',
  }),
  frameFormat: f.lines('帧格式', 500, { optional: true, width: 320, hidden: true, section: '说明' }),
  remark: f.lines('备注', 300, { optional: true, width: 220, hidden: true }),
  ...f.audit,
}

export const dtuProtocolCrud = defineCrud('/seeker/api/dtuProtocol', {
  name: 'dtuProtocol',
  noun: '协议',
  platform: 'changes',
  fields,
  decided: [
    ['name', 'code'],
    ['version'],
    ['transport', 'accessWay'],
    ['endpoint'],
    ['heartbeatS'],
    ['adapter'],
    ['status'],
    ['typeNames'],
  ],
  filter: {
    keyword: { label: '名称/编码', contains: ['name'], begins: ['code'] },
    exact: ['transport', 'accessWay', 'status'],
  },
  addForm: ['code'],
  form: [
    'name',
    'version',
    'adapter',
    'transport',
    'accessWay',
    'endpoint',
    'heartbeatS',
    'missedHeartbeats',
    'frameFormat',
    'remark',
  ],
})
export type DtuProtocol = DataOf<typeof dtuProtocolCrud.routes.list>['rows'][number]

/** A decoded frame: its bytes by field, and their meaning. */
export type DecodedFrame = z.infer<typeof DecodedFrame>
export const DecodedFrame = row({
  problem: z.string().nullable().describe('why the frame cannot be parsed; the readable part is returned anyway'),
  kind: z.string().nullable().describe('kind of message, as text'),
  parts: z.array(row({ label: z.string(), raw: z.string(), note: z.string().nullable() })),
  fields: z.array(row({ name: z.string(), label: z.string(), value: z.string() })),
})

export const dtuProtocol = {
  ...dtuProtocolCrud.routes,
  /** Enabled protocols to choose from. */
  options: get('/seeker/api/dtuProtocol/options', {
    access: { menu: [menuKey.dtuProtocol, menuKey.deviceType, menuKey.instructionSet] },
    data: z.array(row({ ...choice, adapter: protocolAdapter.schema.nullable() })),
  }),
  /** 报文调试. The frame is neither stored nor sent; the audit log records the call. */
  decode: post('/seeker/api/dtuProtocol/decode', {
    access: { menu: menuKey.dtuProtocol },
    audit: { module: dtuProtocolCrud.module, does: '调试报文' },
    body: row({ id, direction: direction.wire, frame: lines(8000, '报文') }),
    data: DecodedFrame,
  }),
}
