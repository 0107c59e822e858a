import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import multipart from '@fastify/multipart'
import { asFile, get, post } from '@wattdeck/contract/kit/route.ts'
import { id, row, text } from '@wattdeck/contract/kit/wire.ts'
import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseFields } from '../../src/kit/http/forms.ts'
import { ConcurrencyLimit } from '../../src/kit/http/concurrency-limit.ts'
import { type Handlers, prepared } from '../../src/kit/http/handlers.ts'
import { handleErrors } from '../../src/kit/http/handle-errors.ts'
import { RefusalDelay } from '../../src/kit/http/refusal-delay.ts'
import { implement } from '../../src/kit/http/http.ts'
import { conflict } from '../../src/kit/http/refusal.ts'
import { readSheet } from '../../src/kit/bulk/sheets/read-sheet.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'

/** Routes in the shapes of features: a sheet upload with fields, and a file download by POST. */
const routes = {
  importSheet: post('/seeker/api/test/import', {
    access: 'anyone',
    audit: { module: '测试', does: '导入表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    idempotent: true,
    body: row({ siteId: id.optional() }),
    data: row({ head: z.array(z.string()), count: z.int(), siteId: z.string().nullable() }),
  }),
  download: post('/seeker/api/test/download', {
    access: 'anyone',
    audit: { module: '测试', does: '下载表格' },
    body: row({ name: text(50, '名称') }),
    ...asFile,
  }),
  ping: get('/seeker/api/test/ping', { access: 'anyone', data: z.null() }),
}
const undone: string[] = []
const handlers: Handlers<typeof routes> = {
  importSheet: prepared({
    prepare: async ({ file }) => readSheet(file?.bytes ?? Buffer.alloc(0)),
    handle: async ({ body }, { head, rows }) => {
      if (head[0] === '冲突') throw conflict('表格已导入')
      return { head, count: rows.length, siteId: body.siteId ?? null }
    },
    undo: async ({ head }) => void undone.push(head.join()),
  }),
  download: async ({ body }) => ({ key, name: body.name, type: 'text/csv; charset=utf-8' }),
  ping: async () => null,
}

const key = `export/1/${randomUUID()}`
const concurrency = new ConcurrencyLimit(1)
const app = Fastify({
  forceCloseConnections: true,
  routerOptions: { querystringParser: (query) => ({ text: query }) },
})
let api: TestApi
let fixture: Fixture
let call: TestApi['call']
let url: string
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  await api.deps.files.put(key, Buffer.from('订单号\r\n'))
  handleErrors(app, new RefusalDelay(0))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, parseFields(String(body))),
  )
  await app.register(multipart)
  implement(app, { ...api.deps, concurrency, implemented: new Set() }, routes, handlers)
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  call = callerOf(url)
})
afterAll(() => app.close())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const sheet = (bytes: Uint8Array<ArrayBuffer> | string) => new File([bytes], '导入.csv')
const send = (file: File, body: { siteId?: string } = {}, headers: Record<string, string> = {}) =>
  call(fixture.green.clerk.token, routes.importSheet, { file, body, headers })

describe('an uploaded sheet', () => {
  it('arrives with its fields, parsed before the transaction begins', async () => {
    expect(await send(sheet('名称,数量\na,1\nb,2'), { siteId: '7' })).toMatchObject({
      status: 200,
      data: { head: ['名称', '数量'], count: 2, siteId: '7' },
    })
  })

  it('is refused when it is empty, or when a field is invalid', async () => {
    expect(await send(sheet(''))).toMatchObject({ status: 422, message: '表格没有表头' })
    expect((await send(sheet('a\n1'), { siteId: 'x' })).status).toBe(422)
  })

  it('has its preparation undone when the transaction is refused, or when the request is a repeat', async () => {
    expect((await send(sheet('冲突\n1'))).status).toBe(409)
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [await send(sheet('一次\n1'), {}, headers), await send(sheet('一次\n1'), {}, headers)]
    expect(second.data).toEqual(first.data)
    expect(undone).toEqual(['冲突', '一次'])
    const refused = await api.sql("select reason from audit_log where content = '导入表格' and result = 0")
    expect(refused).toEqual([{ reason: '表格已导入' }])
  })

  it('may have 10 MB and no byte more, with or without a declared length', async () => {
    const tooLarge = { status: 413, message: '上传内容过大' }
    expect((await send(sheet(new Uint8Array(sheetMaxBytes).fill(97)))).message).toBe('第1行第1列的内容超过2000个字符')
    expect(await send(sheet(new Uint8Array(sheetMaxBytes + 1)))).toMatchObject(tooLarge)
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    async function* pieces() {
      yield Buffer.from(head)
      for (let piece = 1; piece <= 600; piece++) {
        yield Buffer.alloc(100_000)
        if (piece % 50 > 0) continue
        collectGarbage()
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      }
    }
    const reply = await fetch(`${url}${routes.importSheet.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.green.clerk.token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'idempotency-key': randomUUID(),
      },
      body: pieces() as unknown as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect({ status: reply.status, ...((await reply.json()) as object) }).toMatchObject(tooLarge)
    // The process buffers at most the permitted 10 MB, not the 60 MB that are sent.
    expect(most).toBeLessThan(30_000_000)
  })

  it('that arrives slowly occupies no slot of the concurrency limit, but is awaited at shutdown', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST ${routes.importSheet.path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${fixture.green.clerk.token}\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000\r\n\r\n--x\r\n`,
    )
    // The request occupies a slot during admission, and none during its upload.
    await expect
      .poll(() => ({ known: !concurrency.isEmpty, admitted: !concurrency.isFull }))
      .toEqual({ known: true, admitted: true })
    for (let time = 0; time < 5; time++) expect((await call(fixture.green.clerk.token, routes.ping)).status).toBe(200)
    expect(concurrency.isEmpty).toBe(false)
    socket.destroy()
    await expect.poll(() => concurrency.isEmpty).toBe(true)
  })
})

describe('a downloaded file', () => {
  it('by a POST is in the log, and is saved instead of rendered', async () => {
    const reply = await call(fixture.green.clerk.token, routes.download, { body: { name: '订单/11月.csv' } })
    expect(reply.bytes?.toString()).toBe('订单号\r\n')
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="11_.csv"; filename*=UTF-8''11%E6%9C%88.csv`,
      'x-content-type-options': 'nosniff',
    })
    expect(await api.sql("select result from audit_log where content = '下载表格'")).toEqual([{ result: 1 }])
  })

  it('is refused like any other request', async () => {
    expect(await call(undefined, routes.download, { body: { name: 'a' } })).toMatchObject({ status: 401 })
    expect(await call(fixture.green.clerk.token, routes.download, { body: { name: '' } })).toMatchObject({
      status: 422,
    })
  })
})
