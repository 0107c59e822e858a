import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The newest migration of the version before this one. A release sets it to the newest migration that it contains. */
const previousNewest = '0083_first_lines'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const migrations = 'apps/server/db/migrations'
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })

/** The migrations that this version adds, in order. */
export const addedMigrations = readdirSync(`${root}${migrations}`)
  .map((file) => file.replace(/\.sql$/, ''))
  .filter((name) => name > previousNewest)
  .toSorted()

/** The last commit that has no migration of this version. */
function previousCommit(): string {
  const [first] = addedMigrations
  const added = git('log', '--format=%H', '--diff-filter=A', '--', `${migrations}/${first}.sql`)
    .trim()
    .split('\n')
    .at(-1)
  if (added === undefined || added === '') return git('rev-parse', 'HEAD').trim()
  try {
    return git('rev-parse', '--verify', '--quiet', `${added}^`).trim()
  } catch (cause) {
    throw new Error(`the version before ${first} is not in this clone: git fetch --unshallow`, { cause })
  }
}

/** Extracts the source code of the previous version, as released, and returns its folder. */
export function writePreviousVersion(): string {
  const commit = previousCommit()
  const parent = `${root}.cache/previous`
  const folder = `${parent}/${commit}`
  if (existsSync(folder)) return folder
  mkdirSync(parent, { recursive: true })
  const written = mkdtempSync(`${parent}/writing-`)
  git('archive', '--format=tar', '-o', `${written}/source.tar`, commit, 'apps', 'packages', 'tools', 'docs/help')
  execFileSync('tar', ['-xf', `${written}/source.tar`, '-C', written])
  rmSync(`${written}/source.tar`)
  // Its workspace packages are its own; third-party packages come from this version.
  mkdirSync(`${written}/node_modules/@wattdeck`, { recursive: true })
  for (const name of readdirSync(`${written}/packages`))
    symlinkSync(`../../packages/${name}`, `${written}/node_modules/@wattdeck/${name}`)
  try {
    renameSync(written, folder)
  } catch (error) {
    // Another run on this machine created it first.
    if (!existsSync(folder)) throw error
    rmSync(written, { recursive: true })
  }
  return folder
}
