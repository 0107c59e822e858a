import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

const folder = new URL('../../../../docs/help/', import.meta.url)

export type DeliveredHelp = {
  slug: string
  type: number
  title: string
  screen: string | null
  sort: number
  body: string
}

/** One file: lines `name: value` between two `---`, then the text. The slug is the file's own name. */
function read(file: string): DeliveredHelp {
  const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(readFileSync(new URL(file, folder), 'utf8')) ?? []
  const facts = new Map(head.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1).trim()]))
  const fact = (name: string) => {
    const value = facts.get(name)
    if (value === undefined) throw new Error(`docs/help/${file} has no ${name}`)
    return value
  }
  return {
    slug: file.slice(0, -'.md'.length),
    type: Number(fact('type')),
    title: fact('title'),
    screen: facts.get('screen') ?? null,
    sort: Number(fact('sort')),
    body: body.trim(),
  }
}

export const deliveredHelp = (): DeliveredHelp[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => read(file))

/** Adds the delivered documents that were never there. What people have made of one, or that they removed it, stays. */
export async function ensureHelp(client: pg.Client | pg.PoolClient): Promise<void> {
  await client.query(
    `insert into help_document (slug, type, title, screen, sort, body, status)
     select slug, type, title, screen, sort, body, 1
     from jsonb_to_recordset($1) as file (slug text, type smallint, title text, screen text, sort int, body text)
     where not exists (select from help_document there where there.slug = file.slug)`,
    [JSON.stringify(deliveredHelp())],
  )
}
