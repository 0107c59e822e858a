import type { exportList } from '@wattdeck/contract/kit/bulk.ts'
import { type Fields, shownNames } from '@wattdeck/contract/kit/fields.ts'
import { download } from '@wattdeck/contract/system/download.ts'
import { pino } from 'pino'
import readExcel from 'read-excel-file/node'
import { expect } from 'vitest'
import { listExports } from '../../src/app/features.ts'
import { runExport } from '../../src/kit/bulk/exports.ts'
import { createPool } from '../../src/kit/db/db.ts'
import type { TestApi } from './api.ts'

/** What the file of a declared list may hold: titles by key. */
export const titlesOf = ({ fields }: { fields: Fields }): Record<string, string> =>
  Object.fromEntries(shownNames(fields).map((name) => [name, fields[name]?.title ?? '']))

/** The sheet that a person gets of a list, a row for each line, by the titles of its head. */
export async function sheetOf(
  api: TestApi,
  token: string,
  route: ReturnType<typeof exportList>,
  titles: Record<string, string>,
  query = '',
) {
  const body = { columns: Object.keys(titles), query } as never
  const asked = await api.call(token, route, { body })
  expect(asked.status).toBe(200)
  const pool = createPool(api.config.workerDatabaseUrl, 2)
  await runExport({ pool, files: api.deps.files, log: pino({ level: 'silent' }) }, listExports, asked.data.id)
  await pool.end()
  const { bytes } = await api.call(token, download.file, { body: { id: asked.data.id } })
  const read: unknown = await readExcel(bytes ?? Buffer.alloc(0))
  const [sheet] = read as { data: unknown[][] }[]
  const [head = [], ...rows] = sheet?.data ?? []
  expect(head).toEqual(Object.values(titles))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, place) => [String(head[place]), cell])))
}
