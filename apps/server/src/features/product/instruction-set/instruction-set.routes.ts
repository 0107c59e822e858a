import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { instructionSet, instructionSetList } from '@wattdeck/contract/product/instruction-set.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { fileType } from '../../../kit/bulk/exports.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { receiveSheet, templateOf } from '../../../kit/bulk/imports.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { readSheet } from '../../../kit/bulk/sheets/read-sheet.ts'
import { assertUnused, publishCatalogueChange } from '../_shared/catalogue.ts'
import { importInstructions } from './instruction-set.import.ts'
import * as store from './instruction-set.store.ts'
import * as instructions from './instruction.store.ts'
import { testInstruction } from './instruction-test.ts'

const list = 'instructionSet'
const templateKey = 'template/instruction-set.xlsx'
const instructionSetExport = exportOf('instructionSet', instructionSetList, store.setSource, { title: '指令集列表' })
const duplicateWord = '该指令集中已有相同方向的命令字'
type Asking = Pick<Ctx<never>, 'db' | 'scope'>

async function requireSet({ db }: Asking, id: string) {
  const row = await store.findSet(db, id)
  if (row === undefined) throw notFound()
  return row
}

async function requireInstruction({ db }: Asking, id: string) {
  const row = await instructions.findInstruction(db, id)
  if (row === undefined) throw notFound()
  return row
}

type Fields = Pick<BodyOf<typeof instructionSet.edit>, 'name' | 'version' | 'protocolId' | 'remark'>

/** A newly chosen protocol must be enabled. */
async function columnsOf({ db }: Asking, fields: Fields, before: string | null) {
  if (fields.protocolId !== undefined && fields.protocolId !== before) {
    const protocol = await store.findProtocol(db, fields.protocolId)
    if (protocol === undefined) throw invalid('协议不存在', 'protocolId')
    if (protocol.status !== 1) throw invalid('协议已停用', 'protocolId')
  }
  return {
    name: fields.name,
    version: fields.version,
    protocol_id: fields.protocolId ?? null,
    remark: fields.remark ?? null,
  }
}

const instructionColumns = (fields: Omit<BodyOf<typeof instructionSet.editInstruction>, 'instructionId'>) => ({
  name: fields.name,
  command_word: fields.commandWord,
  direction: fields.direction,
  params: fields.params ?? null,
  timeout_s: fields.timeoutS ?? 15,
  retries: fields.retries ?? 1,
  sort: fields.sort ?? 0,
})

const instructionSetHandlers = ({ files }: Deps): Handlers<typeof instructionSet> => ({
  list: ({ db, scope, query }) => listQuery(db, scope, instructionSetList, store.setSource, query),
  options: ({ db }) => store.setOptions(db),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const columns = await columnsOf(ctx, body, null)
    const id = await store.addSet(db, { ...columns, code: body.code, created_by: actor.userName })
    if (id === undefined) throw conflict('指令集编码已存在')
    await publishCatalogueChange(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const before = await requireSet(ctx, body.id)
    const columns = await columnsOf(ctx, body, before.protocol_id)
    const { others } = await store.setUses(db, body.id, columns.protocol_id)
    if (others > 0) throw conflict(`有 ${others} 个使用其他协议的设备类型正在使用该指令集，不能更改协议`)
    await store.changeSet(db, body.id, columns)
    await publishCatalogueChange(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    await requireSet(ctx, body.id)
    if (!(await store.setStatus(db, body.id, body.status))) throw conflict('指令集状态已变更，请刷新后重试')
    await publishCatalogueChange(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    const own = await requireSet(ctx, body.id)
    const { types } = await store.setUses(db, body.id)
    assertUnused(`指令集「${own.name}」`, { 设备类型: types })
    await store.removeSet(db, body.id)
    await publishCatalogueChange(ctx, list)
    return null
  },

  instructions: async ({ db, params, query }) => {
    if (!(await store.setExists(db, params.id))) throw notFound()
    return instructions.listInstructions(db, params.id, query)
  },

  addInstruction: async (ctx) => {
    const { db, body } = ctx
    const { instructionSetId, ...fields } = body
    await requireSet(ctx, instructionSetId)
    const values = { ...instructionColumns(fields), instruction_set_id: instructionSetId }
    const id = await instructions.addInstruction(db, values)
    if (id === undefined) throw conflict(duplicateWord)
    await publishCatalogueChange(ctx, list)
    return { id }
  },

  editInstruction: async (ctx) => {
    const { db, body } = ctx
    const { instructionId, ...fields } = body
    const own = await requireInstruction(ctx, instructionId)
    const values = instructionColumns(fields)
    if (await instructions.commandWordExists(db, own, values)) throw conflict(duplicateWord)
    await instructions.changeInstruction(db, instructionId, values)
    return null
  },

  removeInstruction: async (ctx) => {
    const { db, body } = ctx
    await requireInstruction(ctx, body.instructionId)
    await instructions.removeInstruction(db, body.instructionId)
    await publishCatalogueChange(ctx, list)
    return null
  },

  testDevices: async ({ db, scope, params, query }) => {
    if (!(await store.setExists(db, params.id))) throw notFound()
    // Across all organisations no index finds the newest devices of one protocol.
    if (scope.level === 0 && query.keyword === undefined) return []
    return instructions.devicesOfSet(db, scope, params.id, query)
  },
  test: testInstruction,

  exportList: exportHandler(instructionSetExport),

  importSheet: prepared({
    prepare: async ({ file }) => {
      if (file === undefined) throw invalid('请选择文件')
      return readSheet(file.bytes)
    },
    handle: (ctx, sheet) => receiveSheet(ctx, importInstructions, '导入指令集', sheet),
  }),

  importTemplate: prepared({
    prepare: async () => files.put(templateKey, await templateOf(importInstructions), fileType.xlsx),
    handle: async () => ({ key: templateKey, name: '指令集导入模板.xlsx', type: fileType.xlsx }),
  }),
})

export const instructionSetFeature = defineFeature(instructionSet, instructionSetHandlers, {
  exports: [instructionSetExport],
  batchKinds: [importInstructions],
})
