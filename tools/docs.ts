import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** `npm run docs` writes the figures of the documents from the code; with --verify it only compares them. */
const readme = 'README.md'
const testFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'])
  .toString()
  .split('\n')
  .filter(Boolean)

/** A test is counted where it is written: a loop over all routes is one, and so is a table of examples. */
const writtenIn = (file: string) => readFileSync(file, 'utf8').match(/^\s*it(?:\.each)?[(<]/gm)?.length ?? 0
const written = testFiles.reduce((sum, file) => sum + writtenIn(file), 0)

const figures: Record<string, string> = {
  'tests-written': written.toLocaleString('en'),
  'test-files': testFiles.length.toLocaleString('en'),
}
const text = readFileSync(readme, 'utf8')
const filled = text.replaceAll(/<!--(\S+)-->[^<]*<!--\/-->/g, (whole, name: string) =>
  figures[name] === undefined ? whole : `<!--${name}-->${figures[name]}<!--/-->`,
)
if (!Object.keys(figures).every((name) => text.includes(`<!--${name}-->`)))
  throw new Error(`${readme} lacks the place of a figure: ${Object.keys(figures).join(', ')}`)
if (!process.argv.includes('--verify')) writeFileSync(readme, filled)
else if (filled !== text) throw new Error(`${readme} is stale: npm run docs`)
console.log(`${figures['tests-written']} tests written in ${figures['test-files']} files`)
