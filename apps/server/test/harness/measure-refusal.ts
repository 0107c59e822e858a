import { readFileSync } from 'node:fs'
import { readPicture } from '../../src/kit/files/pictures.ts'
import { Refusal } from '../../src/kit/http/refusal.ts'
import { readSheet } from '../../src/kit/bulk/sheets/read-sheet.ts'

/** A separate process for hostile files: `measure-refusal.ts picture|sheet FILE…` prints each outcome and its cost. */
export type Measured = { answer: string; cpuMs: number; grownMb: number }

async function measure(kind: string, path: string, rssAtStart: number): Promise<Measured> {
  const bytes = readFileSync(path)
  const started = process.cpuUsage()
  const read = kind === 'picture' ? readPicture(bytes, { width: 256, height: 256 }) : readSheet(bytes)
  const answer = await read.then(
    () => 'taken',
    (error: unknown) => (error instanceof Refusal ? `${error.status} ${error.message}` : String(error)),
  )
  const { user, system } = process.cpuUsage(started)
  const grownMb = (highestRss() - rssAtStart) / 1024 ** 2
  return { answer, cpuMs: (user + system) / 1000, grownMb }
}

/** The peak of this process alone; `getrusage` starts with the size of the parent process. */
const highestRss = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024

if (import.meta.main) {
  const [kind = '', ...paths] = process.argv.slice(2)
  const rss = process.memoryUsage.rss()
  const all: Measured[] = []
  for (const path of paths) all.push(await measure(kind, path, rss))
  console.log(JSON.stringify(all))
}
