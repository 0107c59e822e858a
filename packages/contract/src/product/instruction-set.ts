import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import { asFile, type DataOf, done, get, post } from '../kit/route.ts'
import { flag, id, keyword, lines, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ImportSheet } from '../system/batch.ts'
import { byPlatform, catalogueCode, choice, direction } from './catalogue.ts'

const menu = menuKey.instructionSet
const module = '指令集'
/** Testing an instruction requires the right to control devices. */
const control = { menu: menuKey.deviceManage, action: 'control' } as const

export const instructionSetList = defineList('/seeker/api/instructionSet', {
  menu,
  module,
  fields: {
    name: f.shown('指令集名称', { width: 180 }),
    code: f.no('指令集编码', { width: 150 }),
    version: f.shown('版本', { width: 80 }),
    protocolName: f.shown('协议', { optional: true, width: 130 }),
    typeNames: f.names('设备类型'),
    instructionCount: f.count('指令数', { width: 80 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    remark: f.shown('备注', { optional: true, width: 220, hidden: true }),
    ...f.audit,
    protocolId: f.data(z.string().nullable()),
  },
  filter: {
    own: {
      keyword: { title: '编码/名称', schema: keyword.describe('part of the name, or prefix of the code') },
      deviceTypeId: { schema: id },
    },
    exact: ['status'],
  },
  exports: true,
})
export type InstructionSet = DataOf<typeof instructionSetList.routes.list>['rows'][number]

/** The parameters of an instruction test. */
const testField = z.enum(['portNo', 'on', 'minutes'])
export type InstructionTestField = z.infer<typeof testField>

export type Instruction = z.infer<typeof Instruction>
export const Instruction = row({
  id: z.string(),
  name: z.string(),
  commandWord: z.string(),
  direction: direction.schema,
  params: z.string().nullable(),
  timeoutS: z.int(),
  retries: z.int(),
  sort: z.int(),
  updatedAt: time,
  test: z.array(testField).nullable().describe('inputs of a test; null: the platform cannot send the instruction'),
  testProblem: z.string().nullable().describe('why the instruction cannot be sent'),
})

export const instructionSetFields = {
  code: catalogueCode('指令集编码'),
  name: text(40, '指令集名称'),
  version: text(20, '版本'),
  remark: lines(300, '备注').optional(),
}
export const instructionFields = {
  name: text(40, '功能'),
  commandWord: text(30, '命令字'),
  direction: direction.wire,
  params: lines(500, '参数').optional(),
  timeoutS: whole(1, 600).optional().describe('default: 15'),
  retries: whole(0, 10).optional().describe('default: 1'),
  sort: whole(0, 9999).optional().describe('default: 0'),
}
const { code, ...fields } = instructionSetFields

export const instructionSet = {
  ...instructionSetList.routes,
  /** Enabled sets to choose from. */
  options: get('/seeker/api/instructionSet/options', {
    access: { menu: [menu, menuKey.deviceType] },
    data: z.array(row({ ...choice, protocolId: z.string().nullable() })),
  }),
  add: post('/seeker/api/instructionSet/save', {
    access: byPlatform(menu, 'add'),
    audit: { module, does: '新增指令集' },
    idempotent: true,
    body: row({ code, ...fields, protocolId: id.optional() }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/instructionSet/update', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '编辑指令集' },
    body: row({ id, ...fields, protocolId: id.optional() }),
    data: done,
  }),
  toggle: post('/seeker/api/instructionSet/toggle', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '启停指令集' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/instructionSet/delete', {
    access: byPlatform(menu, 'delete'),
    audit: { module, does: '删除指令集' },
    body: row({ id }),
    data: done,
  }),
  /** The instructions of a set, in their configured order. */
  instructions: get('/seeker/api/instructionSet/{id}/instructions', {
    access: { menu },
    params: row({ id }),
    query: PageQuery.extend({
      keyword: keyword.optional().describe('a part of the name, or the command word'),
      direction: direction.wire.optional(),
    }),
    data: page(Instruction),
  }),
  addInstruction: post('/seeker/api/instructionSet/saveInstruction', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '新增指令' },
    idempotent: true,
    body: row({ instructionSetId: id, ...instructionFields }),
    data: row({ id: z.string() }),
  }),
  editInstruction: post('/seeker/api/instructionSet/updateInstruction', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '编辑指令' },
    body: row({ instructionId: id, ...instructionFields }),
    data: done,
  }),
  removeInstruction: post('/seeker/api/instructionSet/deleteInstruction', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '删除指令' },
    body: row({ instructionId: id }),
    data: done,
  }),
  /** Devices with the protocol of a set, to choose one for a test, by number prefix. */
  testDevices: get('/seeker/api/instructionSet/{id}/testDevices', {
    access: control,
    params: row({ id }),
    query: row({ keyword: keyword.optional() }),
    data: z.array(
      row({ id: z.string(), deviceNo: z.string(), name: z.string(), online: z.boolean(), portCount: z.int() }),
    ),
  }),
  /** Sends one instruction to one device like a device operation; its result is read from the command. */
  test: post('/seeker/api/instructionSet/test', {
    access: control,
    audit: { module, does: '在线测试指令' },
    idempotent: true,
    body: row({
      instructionId: id,
      deviceId: id,
      portNo: whole(1, 24).optional(),
      on: flag.optional().describe('start or stop, if the command word covers both'),
      minutes: whole(1, 720).optional().describe('charging time of a started port'),
    }),
    data: row({ commandId: z.string() }),
  }),
  importTemplate: get('/seeker/api/instructionSet/importTemplate', { access: byPlatform(menu, 'import'), ...asFile }),
  importSheet: post('/seeker/api/instructionSet/import', {
    access: byPlatform(menu, 'import'),
    audit: { module, does: '上传导入表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    data: ImportSheet,
  }),
}
