import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFileSandbox } from '../../../../../tools/dev/file-sandbox.ts'
import { testConfig } from '../../../test/harness/config.ts'
import { Files } from './files.ts'
import type { Cell } from '../bulk/sheets/cell.ts'
import { writeCsv } from '../bulk/sheets/write-csv.ts'

let sandbox: Awaited<ReturnType<typeof startFileSandbox>>
let files: Files
beforeAll(async () => {
  sandbox = await startFileSandbox()
  files = new Files({ ...testConfig('none').files, endpoint: sandbox.endpoint })
})
afterAll(async () => {
  files.close()
  await sandbox.stop()
})

function* pieces(count: number) {
  for (let place = 0; place < count; place++) yield Buffer.alloc(100_000, place)
}
async function digest(source: AsyncIterable<Buffer> | Iterable<Buffer>) {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const stored = () => readdirSync(sandbox.directory, { recursive: true, encoding: 'utf8' })

describe('an object', () => {
  it('is stored, is removed, and may be removed twice', async () => {
    await files.put('picture/1/a', Buffer.from('hello'), 'image/webp')
    const { body, bytes } = await files.getStream('picture/1/a')
    expect([bytes, await digest(body as AsyncIterable<Buffer>)]).toEqual([5, await digest([Buffer.from('hello')])])
    await files.remove('picture/1/a')
    await files.remove('picture/1/a')
    await expect(files.getStream('picture/1/a')).rejects.toMatchObject({ status: 404 })
  })

  it('of 60 MB is streamed in and out with bounded memory', async () => {
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    let [seen, most] = [0, 0]
    /** Measures the retained memory after garbage collection, every 5 MB. */
    async function* watched(source: Iterable<Buffer> | AsyncIterable<Buffer>) {
      for await (const piece of source) {
        const part = Math.floor(seen / 5_000_000)
        seen += piece.length
        if (Math.floor(seen / 5_000_000) > part) {
          // V8 frees array buffers in the background; a second collection waits for the first.
          collectGarbage()
          collectGarbage()
          most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        }
        yield piece
      }
    }
    expect(await files.putStream('export/1/large', Readable.from(watched(pieces(600))))).toBe(60_000_000)
    const { body, bytes } = await files.getStream('export/1/large')
    expect(bytes).toBe(60_000_000)
    expect(await digest(watched(body as AsyncIterable<Buffer>))).toBe(await digest(pieces(600)))
    expect(seen).toBe(120_000_000)
    // Several parts of 5 MB are in transit at once.
    expect(most).toBeLessThan(40_000_000)
  })

  it('whose source fails is not stored, and the error is that of the source', async () => {
    async function* failing(): AsyncGenerator<Cell[]> {
      for (let place = 0; place < 100_000; place++) yield ['x'.repeat(100)]
      throw new Error('the database has gone')
    }
    const sheet = new PassThrough()
    const upload = files.putStream('export/1/failed', sheet, 'text/csv')
    await expect(Promise.all([upload, writeCsv(['a'], failing(), sheet)])).rejects.toThrow('the database has gone')
    await expect(upload).rejects.toThrow('the database has gone')
    expect(stored().filter((name) => name.includes('failed'))).toEqual([])
  })

  it('of 0 bytes can be stored', async () => {
    expect(await files.putStream('export/1/empty', Readable.from([]))).toBe(0)
    expect((await files.getStream('export/1/empty')).bytes).toBe(0)
  })
})

describe('without storage', () => {
  const unreachableFiles = () => new Files({ ...testConfig('none').files, endpoint: 'http://127.0.0.1:9' })
  it.each<[string, (none: Files) => Promise<unknown>]>([
    ['put', (none) => none.put('a', Buffer.from('x'))],
    ['putStream', (none) => none.putStream('a', Readable.from(pieces(200)))],
    ['getStream', (none) => none.getStream('a')],
    ['remove', (none) => none.remove('a')],
  ])('%s fails with status 503', async (_, act) => {
    await expect(act(unreachableFiles())).rejects.toMatchObject({
      status: 503,
      message: '文件服务暂不可用',
      retryAfterSeconds: 5,
    })
  })

  it('a wrong key is rejected with status 503', async () => {
    const wrong = new Files({ ...testConfig('none').files, endpoint: sandbox.endpoint, secretAccessKey: 'guessed' })
    await expect(wrong.put('a', Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
    expect(await wrong.ready()).toBe(false)
  })
})
