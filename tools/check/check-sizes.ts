import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * `npm run sizes`: the gzipped size of the files that a browser must load, in kB of 1000 bytes. Run `npm run build`
 * before.
 */
type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }

const dist = join(import.meta.dirname, '../../apps/console/dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
const limits = { shell: 300, firstList: 110, page: 20 }
const isPage = (key: string) => key.endsWith('.page.tsx')

const sizes = new Map<string, number>()
function gzipKb(file: string): number {
  const cached = sizes.get(file)
  if (cached !== undefined) return cached
  const size = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000
  sizes.set(file, size)
  return size
}
const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipKb(file), 0)

/** Files and styles of chunks, including their static imports. */
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
// Loaded before a page. Palette, drawers and similar parts load when first opened.
const frame = 'src/shell/ConsoleShell.tsx'
const shell = filesOf([...keys.filter((key) => manifest[key]?.isEntry), frame])
const listPages = ['staff', 'department', 'menu-manager', 'resource', 'role', 'log'].map((name) => {
  const files = [...filesOf([`src/features/system/${name}/${name}.page.tsx`])].filter((file) => !shell.has(file))
  return {
    what: `${name} as the first list beyond the shell, ${files.length} files`,
    size: total(files),
    limit: limits.firstList,
  }
})
const pages = keys
  .filter(isPage)
  .map((key) => ({ what: key, size: gzipKb(manifest[key]?.file ?? ''), limit: limits.page }))

const table = [
  { what: `shell, ${shell.size} files`, size: total(shell), limit: limits.shell },
  ...listPages,
  ...pages.toSorted((a, b) => b.size - a.size),
]
for (const { what, size, limit } of table)
  console.log(
    `${size > limit ? 'OVER ' : '     '}${size.toFixed(1).padStart(7)} of ${String(limit).padStart(3)} kB  ${what}`,
  )
const over = table.filter(({ size, limit }) => size > limit)
console.log(over.length === 0 ? `sizes: ${table.length} within their limits` : `sizes: ${over.length} over their limit`)
process.exitCode = over.length > 0 ? 1 : 0
