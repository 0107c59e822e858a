import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The import graph, read from the text: every import of the project names a file with its extension. */
const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const [, name = '', rest = ''] = /^@wattdeck\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name === '' ? undefined : `packages/${name}/src/${rest}`
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const resolved = [...text.matchAll(importPattern)].map(([, specifier = '']) => resolveImport(file, specifier))
  return resolved.filter((path): path is string => path !== undefined && existsSync(path))
}

/** For each file the files that import it. */
export function importersOf(files: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const file of files)
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file])
  return importers
}
