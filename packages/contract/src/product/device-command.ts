import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { startBatch } from '../kit/bulk.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import { type DataOf, get, post } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const commandStatus = codes({
  queued: { code: 1, label: '待发送', tone: 'off' },
  parked: { code: 2, label: '等待上线', tone: 'book' },
  sent: { code: 3, label: '已发送', tone: 'run' },
  done: { code: 4, label: '成功', tone: 'ok' },
  refused: { code: 5, label: '设备拒绝', tone: 'bad' },
  failed: { code: 6, label: '失败', tone: 'bad' },
  timedOut: { code: 7, label: '超时', tone: 'warn' },
  cancelled: { code: 8, label: '已取消', tone: 'off' },
})
/** After a timeout it is unknown whether the command was executed; a late reply still counts. */
export const commandFlow = commandStatus.flow({
  park: { from: ['queued', 'sent'], to: 'parked' },
  wake: { from: ['parked'], to: 'queued' },
  send: { from: ['queued'], to: 'sent' },
  succeed: { from: ['sent', 'timedOut'], to: 'done' },
  refuse: { from: ['sent', 'timedOut'], to: 'refused' },
  fail: { from: ['queued', 'parked', 'sent'], to: 'failed' },
  timeOut: { from: ['sent'], to: 'timedOut' },
  cancel: { from: ['queued', 'parked'], to: 'cancelled' },
})

export const whenOffline = codes({
  wait: { code: 1, label: '等待上线后执行' },
  fail: { code: 2, label: '直接失败' },
})

/** Operations on a whole device: those of the specification, and polling its state. */
export const deviceOperation = codes({
  restart: { code: 1, label: '重启' },
  stop: { code: 2, label: '停用' },
  restore: { code: 3, label: '恢复' },
  query: { code: 4, label: '召测' },
})

export const commandKind = codes({
  restart: { code: 'restart', label: '重启' },
  stop: { code: 'stop', label: '停用' },
  restore: { code: 'restore', label: '恢复' },
  query: { code: 'query', label: '召测' },
  startPort: { code: 'startPort', label: '启动端口' },
  stopPort: { code: 'stopPort', label: '停止端口' },
  changePort: { code: 'changePort', label: '修改充电限制' },
  readAttributes: { code: 'readAttributes', label: '读取参数' },
  writeAttributes: { code: 'writeAttributes', label: '写入参数' },
  setClock: { code: 'setClock', label: '对时' },
  setTariff: { code: 'setTariff', label: '下发计费模型' },
})

export type DeviceCommandRow = z.infer<typeof DeviceCommandRow>
export const DeviceCommandRow = row({
  id: z.string(),
  at: time,
  kind: z.string(),
  portNo: z.int().nullable(),
  content: z.record(z.string(), z.unknown()),
  status: commandStatus.schema,
  reason: z.string().nullable().describe('as text'),
  result: z.record(z.string(), z.unknown()).nullable(),
  issuedBy: z.string(),
  sentAt: time.nullable(),
  endedAt: time.nullable(),
  expiresAt: time,
  frame: z.string().nullable().describe('frame sent, in hex; the journal keeps it for some days'),
  answer: z.string().nullable().describe('response of the device, in hex'),
})

const menu = menuKey.deviceManage
const module = '设备控制'
const { read, change, approve } = screenRoutes({ menu, module })
/** Batches to many devices wait for approval by a second person. */
export const pendingBatchList = defineList('/seeker/api/deviceCommand', {
  menu,
  module,
  at: '/held',
  action: 'approve',
  fields: {
    title: f.shown('任务', { width: 160 }),
    total: f.count('设备数', { width: 80 }),
    labels: f.names('设备', { width: 300, about: 'some of the devices' }),
    createdBy: f.shown('发起人', { width: 100 }),
    createdAt: f.time('发起时间', { width: 170 }),
    own: f.data(z.boolean().describe('requested by the caller, who cannot approve it')),
  },
  filter: { exact: [] },
})
export type PendingBatch = DataOf<typeof pendingBatchList.routes.list>['rows'][number]

/** Installers test ports on site. */
const controlPorts = { menu: [menu, menuKey.deviceScan], action: 'control' } as const
const CommandId = row({ commandId: z.string() })
/** A device without a clock cannot detect an old command, so a command waits at most this long. */
export const maxWaitHours = 24
const ifOffline = {
  whenOffline: whenOffline.wire,
  waitHours: whole(1, maxWaitHours).optional().describe('how long it waits for the device; default: one hour'),
}

export const deviceCommand = {
  list: read('/seeker/api/deviceCommand/pageList/{id}', {
    params: row({ id }),
    query: PageQuery.extend({ status: commandStatus.wire.optional(), kind: commandKind.wire.optional() }),
    data: page(DeviceCommandRow),
  }),
  /** One command with its result. */
  read: get('/seeker/api/deviceCommand/detail/{id}', {
    access: { menu: [menu, menuKey.deviceScan] },
    params: row({ id }),
    data: DeviceCommandRow,
  }),
  operate: change(
    '/seeker/api/deviceCommand/operate',
    '操作设备',
    { deviceId: id, operation: deviceOperation.wire, ...ifOffline },
    { action: 'control', idempotent: true, data: CommandId },
  ),
  /** A charge without payment, to test a port. */
  startPort: post('/seeker/api/deviceCommand/startPort', {
    access: controlPorts,
    audit: { module, does: '启动端口' },
    idempotent: true,
    body: row({
      deviceId: id,
      portNo: whole(1, 24),
      minutes: whole(1, 720),
      codeId: id.optional().describe('the scanned code'),
    }),
    data: CommandId,
  }),
  stopPort: post('/seeker/api/deviceCommand/stopPort', {
    access: controlPorts,
    audit: { module, does: '停止端口' },
    idempotent: true,
    body: row({ deviceId: id, portNo: whole(1, 24) }),
    data: CommandId,
  }),
  /** A closed port is not offered to members; the device is not informed. */
  switchPort: change(
    '/seeker/api/deviceCommand/switchPort',
    '停用或启用端口',
    { deviceId: id, portNo: whole(1, 24), enabled: z.enum(['0', '1']) },
    { action: 'control' },
  ),
  cancel: change('/seeker/api/deviceCommand/cancel', '取消指令', { id }, { action: 'control' }),
  batchOperate: startBatch('/seeker/api/deviceCommand/batchOperate', {
    menu,
    action: 'control',
    module,
    does: '批量远程控制设备',
    body: { operation: deviceOperation.wire, ...ifOffline },
  }),
  held: pendingBatchList.routes.list,
  approve: approve('/seeker/api/deviceCommand/approve', '通过批量指令', { id }),
  turnDown: approve('/seeker/api/deviceCommand/turnDown', '驳回批量指令', { id, reason: text(100, '原因') }),
}
