import { instructionFields, instructionSetFields } from '@wattdeck/contract/product/instruction-set.ts'
import { catalogueCode, direction } from '@wattdeck/contract/product/catalogue.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import {
  type BatchCtx,
  batchKind,
  type ImportField,
  type ImportKind,
  type ImportRow,
  type Verdict,
} from '../../../kit/bulk/batch-kind.ts'
import { checkedRow } from '../../../kit/bulk/imports.ts'
import { conflict, invalid } from '../../../kit/http/refusal.ts'
import * as instructions from './instruction.store.ts'
import * as store from './instruction-set.store.ts'

const optional = { required: false } as const
const directionOf = (label: string) =>
  String(direction.options.find((option) => option.label === label)?.value ?? label)

/** A row is one instruction and names its set. The first row of a new set creates that set. */
const fields: ImportField[] = [
  { key: 'code', title: '指令集编码', required: true, schema: instructionSetFields.code },
  { key: 'setName', title: '指令集名称', ...optional, schema: instructionSetFields.name, note: '新指令集必填' },
  { key: 'version', title: '版本', ...optional, schema: instructionSetFields.version, note: '新指令集必填' },
  { key: 'protocolCode', title: '协议编码', ...optional, schema: catalogueCode('协议编码') },
  { key: 'name', title: '功能', required: true, schema: instructionFields.name },
  { key: 'commandWord', title: '命令字', required: true, schema: instructionFields.commandWord },
  {
    key: 'direction',
    title: '方向',
    required: true,
    schema: instructionFields.direction,
    read: directionOf,
    note: direction.options.map((option) => option.label).join('/'),
  },
  { key: 'params', title: '参数', ...optional, schema: instructionFields.params },
  { key: 'timeoutS', title: '超时(秒)', ...optional, schema: instructionFields.timeoutS },
  { key: 'retries', title: '重试次数', ...optional, schema: instructionFields.retries },
  { key: 'sort', title: '排序', ...optional, schema: instructionFields.sort },
]

/** Resolves the codes of a sheet, in one query for all rows. */
async function check({ db }: BatchCtx, rows: readonly ImportRow[]): Promise<Map<number, Verdict>> {
  const all = (key: string) => [...new Set(rows.flatMap(({ values }) => values[key] ?? []))]
  const { sets, protocols, words } = await instructions.resolveCodes(db, all('code'), all('protocolCode'))
  const newSets = new Set<string>()
  const verdictOf = ({ values }: ImportRow): Verdict => {
    const { code = '', setName, version, protocolCode, commandWord = '' } = values
    const protocolId = protocolCode === undefined ? undefined : protocols.get(protocolCode)
    if (protocolCode !== undefined && protocolId === undefined) return { reason: '协议不存在或已停用' }
    if (!sets.has(code) && !newSets.has(code) && (setName === undefined || version === undefined))
      return { reason: '指令集不存在，新增时须填写指令集名称和版本' }
    const key = `${code} ${directionOf(values['direction'] ?? '')} ${commandWord}`
    if (words.has(key)) return { reason: '指令集中已有相同方向的命令字' }
    newSets.add(code)
    words.add(key)
    return { resolved: { code, protocolId } }
  }
  return new Map(rows.map((row) => [row.seq, verdictOf(row)]))
}

const sheet: ImportKind = {
  fields,
  labelOf: (values) => `${values['code'] ?? ''} ${values['name'] ?? ''}`.trim(),
  check,
}

/** The values as the column schemas parse them. */
const Row = z.object({
  code: z.string(),
  setName: z.string().optional(),
  version: z.string().optional(),
  name: z.string(),
  commandWord: z.string(),
  direction: direction.schema,
  params: z.string().optional(),
  timeoutS: z.int().optional(),
  retries: z.int().optional(),
  sort: z.int().optional(),
})

/** The set of a row, created if it does not exist yet. */
async function setOf({ db, actor }: BatchCtx, row: z.infer<typeof Row>, protocolId: string | undefined) {
  const { sets } = await instructions.resolveCodes(db, [row.code], [])
  const there = sets.get(row.code)
  if (there !== undefined) return there
  if (row.setName === undefined || row.version === undefined)
    throw invalid('指令集不存在，新增时须填写指令集名称和版本')
  const newId = await store.addSet(db, {
    code: row.code,
    name: row.setName,
    version: row.version,
    protocol_id: protocolId ?? null,
    remark: null,
    created_by: actor.userName,
  })
  if (newId === undefined) throw conflict('指令集编码已存在')
  return newId
}

export const importInstructions = batchKind({
  kind: 'instructionSet.import',
  module: '指令集',
  access: { menu: menuKey.instructionSet, action: 'import', platform: true },
  list: 'instructionSet',
  params: z.object({}),
  apply: async (ctx, _, target) => {
    const { values, resolved } = await checkedRow(ctx, sheet, target)
    const row = Row.parse(values)
    const id = await instructions.addInstruction(ctx.db, {
      instruction_set_id: await setOf(ctx, row, resolved['protocolId']),
      name: row.name,
      command_word: row.commandWord,
      direction: row.direction,
      params: row.params ?? null,
      timeout_s: row.timeoutS ?? 15,
      retries: row.retries ?? 1,
      sort: row.sort ?? 0,
    })
    if (id === undefined) throw conflict('指令集中已有相同方向的命令字')
  },
  import: sheet,
})
