import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ImportColumn, ImportSheet } from '@wattdeck/contract/system/batch.ts'
import { batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { looksPersonal } from '@wattdeck/contract/kit/view-problem.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { sql } from 'kysely'
import { placeOf } from '../auth/actor.ts'
import type {
  BatchCtx,
  BatchKind,
  BatchTarget,
  ImportField,
  ImportKind,
  ImportRow,
  ImportValues,
} from './batch-kind.ts'
import type { Db } from '../db/db.ts'
import '../http/input-texts.ts'
import { invalid } from '../http/refusal.ts'
import { writeXlsx } from './sheets/write-xlsx.ts'

/** An empty sheet with a header row that describes the columns. */
export async function templateOf(kind: BatchKind): Promise<Buffer> {
  const head = importOf(kind).fields.map(
    ({ title, required, note }) => `${title}${required ? '*' : ''}${note === undefined ? '' : `（${note}）`}`,
  )
  const through = new PassThrough()
  const [bytes] = await Promise.all([buffer(through), writeXlsx(head, noRows(), through)])
  return bytes
}
async function* noRows(): AsyncGenerator<never[]> {}

type Sheet = { head: string[]; rows: string[][] }
type Stored = { cells: string[] } | { cells: string[]; values: ImportValues }

/** Stores a sheet as a prepared job, which the user has not confirmed yet. */
export async function receiveSheet(ctx: BatchCtx, kind: BatchKind, title: string, sheet: Sheet): Promise<ImportSheet> {
  const { fields } = importOf(kind)
  const { head, rows } = sealSecrets(fields, sheet)
  if (rows.length === 0) throw invalid('表格中没有数据')
  const { db, actor } = ctx
  const job = await db
    .insertInto('batch_job')
    .values({
      ...placeOf(actor),
      user_id: actor.userId,
      kind: kind.kind,
      title,
      status: batchStatus.code.prepared,
      total: rows.length,
      created_by: actor.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const place = placeOf(actor)
  await sql`insert into batch_item (job_id, seq, organise_id, agent_id, site_id, label, input)
    select ${job.id}, seq, ${place.organise_id}, ${place.agent_id}::bigint, ${place.site_id}::bigint, '', jsonb_build_object('cells', cells)
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality sheet (cells, seq)`.execute(db)
  const mapping = Object.fromEntries(
    fields.flatMap((field) => {
      const at = placeIn(head, field)
      return at === -1 ? [] : [[field.key, at]]
    }),
  )
  const hidden = new Map(
    fields.flatMap((field) => {
      const mask = maskOf(field)
      return mask === undefined || mapping[field.key] === undefined ? [] : [[mapping[field.key], mask]]
    }),
  )
  // A column with an unknown title may contain phones.
  const displayText = (cell: string, at: number) =>
    hidden.get(at)?.(cell) ?? (looksPersonal(cell) ? masks.phone(cell) : cell)
  const sample = rows.slice(0, 5).map((cells) => cells.map(displayText))
  return { jobId: job.id, rows: rows.length, head, sample, columns: columnsOf(kind), mapping }
}

/** Reduces a sheet with secrets to columns with known titles, and encrypts the secrets. */
function sealSecrets(fields: readonly ImportField[], { head, rows }: Sheet): Sheet {
  const secrets = fields.filter((field) => field.seal !== undefined)
  if (secrets.length === 0) return { head, rows }
  for (const field of secrets)
    if (placeIn(head, field) === -1) throw invalid(`表格中没有「${field.title}」列，请使用导入模板`)
  const importColumns = fields.map((field) => ({ ...field, at: placeIn(head, field) })).filter(({ at }) => at !== -1)
  return {
    head: importColumns.map(({ at }) => head[at] ?? ''),
    rows: rows.map((cells) => importColumns.map(({ at, seal }) => sealText(cells[at]?.trim() ?? '', seal))),
  }
}
const sealText = (text: string, seal: ImportField['seal']) => (seal === undefined || text === '' ? text : seal(text))
const placeIn = (head: readonly string[], { title }: ImportField) =>
  head.findIndex((text) => bare(text) === bare(title))

/** Mask for displaying a value; undefined when it is shown in full. */
const maskOf = ({ personal, seal }: ImportField): ((text: string) => string) | undefined => {
  if (seal !== undefined) return () => '********'
  return personal === undefined ? undefined : masks[personal]
}

/** Normalises a title: ignores asterisks, bracketed notes and spaces. */
const bare = (title: string) => title.replaceAll(/[*＊\s]|[（(].*?[)）]/g, '')

const importOf = (kind: BatchKind): ImportKind => {
  if (kind.import === undefined) throw invalid('该任务不是导入任务')
  return kind.import
}
export const columnsOf = (kind: BatchKind): ImportColumn[] =>
  importOf(kind).fields.map(({ key, title, required, note = '' }) => ({ key, title, required, note }))

/** Reads every row by the chosen columns and stores for each whether it is valid. */
export async function checkRows(
  ctx: BatchCtx,
  kind: BatchKind,
  jobId: string,
  mapping: Record<string, number>,
): Promise<void> {
  const { fields } = importOf(kind)
  for (const { key, title, required } of fields)
    if (required && mapping[key] === undefined) throw invalid(`请选择「${title}」对应的列`)
  const stored = await readInputs(ctx.db, jobId)
  const rows = stored.map(({ seq, input }): ImportRow & { cells: string[] } => ({
    seq,
    cells: input.cells,
    values: Object.fromEntries(
      fields.flatMap(({ key }) => {
        const text = input.cells[mapping[key] ?? -1]?.trim() ?? ''
        return text === '' ? [] : [[key, text]]
      }),
    ),
  }))
  await storeChecked(ctx, kind, jobId, rows)
}

/** Changes the values of one row. All rows are checked again, because they may conflict with each other. */
export async function fixRow(ctx: BatchCtx, kind: BatchKind, jobId: string, seq: number, changed: ImportValues) {
  const fieldsByKey = new Map(importOf(kind).fields.map((field) => [field.key, field]))
  const stored = await readInputs(ctx.db, jobId)
  const rows = stored.map((row) => {
    const values = 'values' in row.input ? row.input.values : {}
    if (row.seq !== seq) return { seq: row.seq, cells: row.input.cells, values }
    const next = { ...values }
    for (const [key, text] of Object.entries(changed)) {
      const field = fieldsByKey.get(key)
      if (field === undefined) throw invalid('列不存在')
      if (text.trim() === '') delete next[key]
      else next[key] = sealText(text.trim(), field.seal)
    }
    return { seq: row.seq, cells: row.input.cells, values: next }
  })
  if (!rows.some((row) => row.seq === seq)) throw invalid('行不存在')
  await storeChecked(ctx, kind, jobId, rows)
}

async function readInputs(db: Db, jobId: string): Promise<{ seq: number; input: Stored }[]> {
  const rows = await db
    .selectFrom('batch_item')
    .select(['seq', 'input'])
    .where('job_id', '=', jobId)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq, input }) => ({ seq, input: input as unknown as Stored }))
}

async function storeChecked(
  ctx: BatchCtx,
  kind: BatchKind,
  jobId: string,
  rows: readonly (ImportRow & { cells: string[] })[],
): Promise<void> {
  const { fields, check, labelOf } = importOf(kind)
  const reasons = new Map(rows.map(({ seq, values }) => [seq, problemsOf(fields, values)]))
  const sound = rows.filter(({ seq }) => reasons.get(seq) === undefined)
  const verdicts = await check(ctx, sound)
  const checkedRows = rows.map(({ seq, cells, values }) => {
    const verdict = verdicts.get(seq) ?? {}
    const reason = reasons.get(seq) ?? ('reason' in verdict ? verdict.reason : null)
    const resolved = 'resolved' in verdict ? verdict.resolved : {}
    return { seq, reason, label: labelOf(values).slice(0, 80), input: { cells, values, resolved } }
  })
  const { waiting, failed } = batchItemStatus.code
  await sql`update batch_item set input = checked.input, label = checked.label, reason = checked.reason,
      status = case when checked.reason is null then ${waiting}::smallint else ${failed}::smallint end
    from jsonb_to_recordset(${JSON.stringify(checkedRows)}::jsonb) checked (seq int, reason text, label text, input jsonb)
    where batch_item.job_id = ${jobId} and batch_item.seq = checked.seq`.execute(ctx.db)
  await ctx.db
    .updateTable('batch_job')
    .set({ failed: checkedRows.filter(({ reason }) => reason !== null).length })
    .where('id', '=', jobId)
    .execute()
}

/** Reports all problems of a row at once, so that the user corrects it once. */
function problemsOf(fields: readonly ImportField[], values: ImportValues): string | undefined {
  const problems = fields.flatMap(({ key, title, required, schema, read }) => {
    const text = values[key]
    if (text === undefined) return required ? [`缺少${title}`] : []
    const { success, error } = schema.safeParse(read === undefined ? text : read(text))
    return success ? [] : [`${title}：${error.issues[0]?.message ?? '格式不正确'}`]
  })
  return problems.length === 0 ? undefined : problems.join('；')
}

/**
 * Returns the parsed values of a row and its resolved names. A row that was rejected by the check can reach this point by a
 * retry. It is then checked again and refused with its problems.
 */
export async function checkedRow(ctx: BatchCtx, { fields, check }: ImportKind, { seq, input }: BatchTarget) {
  const { values, resolved: storedNames } = input as {
    values: ImportValues
    resolved: Record<string, string | undefined>
  }
  const problems = problemsOf(fields, values)
  if (problems !== undefined) throw invalid(problems)
  const verdict =
    Object.keys(storedNames).length > 0 ? { resolved: storedNames } : (await check(ctx, [{ seq, values }])).get(seq)
  if (verdict === undefined || 'reason' in verdict) throw invalid(verdict?.reason ?? '该行未检查')
  const parsed = Object.fromEntries(
    fields.flatMap(({ key, schema, read }) => {
      const text = values[key]
      return text === undefined ? [] : [[key, schema.parse(read === undefined ? text : read(text))]]
    }),
  ) as Record<string, unknown>
  return { values: parsed, resolved: verdict.resolved }
}

/** The values of a row with masks applied. */
export function shownValues(kind: BatchKind, input: unknown): ImportValues | null {
  const { values } = input as { values?: ImportValues }
  if (values === undefined) return null
  return Object.fromEntries(
    importOf(kind).fields.flatMap((field) => {
      const text = values[field.key]
      return text === undefined ? [] : [[field.key, maskOf(field)?.(text) ?? text]]
    }),
  )
}
