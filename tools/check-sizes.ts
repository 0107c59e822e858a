import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** `npm run sizes`: what a browser must load, gzipped, in kB of 1000 bytes. Run `npm run build` before. */
type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }

const dist = join(import.meta.dirname, '../apps/console/dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
const limits = { shell: 300, firstListPage: 110, page: 20 }
const firstListPage = 'src/system/staff.page.tsx'
const isPage = (key: string) => key.endsWith('.page.tsx')

const sizes = new Map<string, number>()
function gzipKb(file: string): number {
  const known = sizes.get(file)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000
  sizes.set(file, size)
  return size
}
const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipKb(file), 0)

/** Files and styles of chunks, with those of everything they import statically. */
function filesOf(chunks: string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set(chunks)
  for (const key of seen) {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`${key} is not in the manifest`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const next of chunk.imports ?? []) seen.add(next)
  }
  return files
}

const keys = Object.keys(manifest)
// Whatever of the shell is loaded apart is counted as if it always were: the budget must hold when all of it is.
const shellKeys = keys.filter((key) => manifest[key]?.isEntry || (key.startsWith('src/shell/') && !isPage(key)))
const shell = filesOf(shellKeys)
const list = [...filesOf([firstListPage])].filter((file) => !shell.has(file))
const pages = keys
  .filter((key) => isPage(key) && key !== firstListPage)
  .map((key) => ({ what: key, size: gzipKb(manifest[key]?.file ?? ''), limit: limits.page }))

const table = [
  { what: `shell, ${shell.size} files`, size: total(shell), limit: limits.shell },
  { what: `${firstListPage} beyond the shell, ${list.length} files`, size: total(list), limit: limits.firstListPage },
  ...pages.toSorted((a, b) => b.size - a.size),
]
for (const { what, size, limit } of table)
  console.log(
    `${size > limit ? 'OVER ' : '     '}${size.toFixed(1).padStart(7)} of ${String(limit).padStart(3)} kB  ${what}`,
  )
const over = table.filter(({ size, limit }) => size > limit)
console.log(over.length === 0 ? `sizes: ${table.length} within their limits` : `sizes: ${over.length} over their limit`)
process.exitCode = over.length > 0 ? 1 : 0
