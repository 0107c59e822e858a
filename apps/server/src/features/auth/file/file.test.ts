import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { file } from '@wattdeck/contract/auth/file.ts'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { startFileSandbox } from '../../../../../../tools/dev/file-sandbox.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { hostileNames } from '../../../../test/every/hostile-names.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { inScope, commit } from '../../../kit/db/db.ts'
import { Files } from '../../../kit/files/files.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import { startWorker } from '../../../app/worker.ts'

const sandbox = await startFileSandbox()
const storage = {
  endpoint: sandbox.endpoint,
  region: 'us-east-1',
  bucket: 'wattdeck',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}
const api = await startApi({ files: storage })
const fixture = await makeFixture(api)
afterAll(() => sandbox.stop())

const picture = (width = 300, height = 200) => sharp({ create: { width, height, channels: 3, background: '#1890FF' } })
const png = () => picture().png().toBuffer()
const asFile = (bytes: Uint8Array | string, name = '照片.png', type = 'image/png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
const upload = async (token: string, bytes: Uint8Array | string, name?: string) =>
  api.call(token, file.uploadPicture, { file: asFile(bytes, name) })
const read = (token: string, id: string) => api.call(token, file.content, { params: { id } })
const objects = () =>
  readdirSync(sandbox.directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.includes('picture') && name.endsWith('_object'),
  )

/** Attaches a picture as a feature does when it saves a record. */
async function attach(token: string, id: string, place: { organise?: string; agent?: string; site?: string } = {}) {
  const actor = await api.deps.sessions.find(token, true)
  if (actor === undefined) throw new Error('nobody')
  const at = {
    organise_id: place.organise ?? actor.organiseId,
    agent_id: place.agent ?? null,
    site_id: place.site ?? null,
  }
  await inScope(api.deps.pool, actor.scope, 'write', async ({ db }) =>
    commit(await swapPicture(db, actor, { from: null, to: id, place: at })),
  )
}

describe('a stranger', () => {
  it('gets no file of another organisation, and no unattached file of a colleague', async () => {
    const { data } = await upload(fixture.green.clerk.token, await png())
    expect((await read(fixture.green.clerk.token, data.id)).status).toBe(200)
    for (const { token } of [fixture.green.admin, fixture.swift.admin, fixture.platform.root])
      expect(await read(token, data.id)).toMatchObject({ status: 404, message: '记录不存在或已被删除' })
    await attach(fixture.green.clerk.token, data.id)
    expect((await read(fixture.green.admin.token, data.id)).status).toBe(200)
    expect((await read(fixture.platform.root.token, data.id)).status).toBe(200)
    for (const { token } of [fixture.swift.admin, fixture.green.agent, fixture.green.site])
      expect((await read(token, data.id)).status).toBe(404)
  })

  it('whose scope contains the record sees its picture', async () => {
    const { data } = await upload(fixture.green.admin.token, await png())
    await attach(fixture.green.admin.token, data.id, { agent: fixture.green.subAgentId, site: fixture.green.siteId })
    for (const { token } of [fixture.green.site, fixture.green.subAgent, fixture.green.agent])
      expect((await read(token, data.id)).status).toBe(200)
    expect((await read(fixture.swift.site.token, data.id)).status).toBe(404)
  })

  it('of an organisation sees a picture that the platform attached to its record', async () => {
    const { data } = await upload(fixture.platform.root.token, await png())
    await attach(fixture.platform.root.token, data.id, { organise: fixture.green.id })
    expect((await read(fixture.green.clerk.token, data.id)).status).toBe(200)
    expect((await read(fixture.swift.admin.token, data.id)).status).toBe(404)
  })

  it('never gets a sheet of another person; its creator gets it as a download', async () => {
    const objectKey = `export/${fixture.green.id}/${crypto.randomUUID()}`
    await api.deps.files.put(objectKey, Buffer.from('csv'))
    const [sheet] = await api.sql<{ id: string }>(
      `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, attached)
       values ($1, $2, 'export', $3, '会员.csv', 'text/csv', 3, true) returning id`,
      [fixture.green.id, fixture.green.clerk.id, objectKey],
    )
    expect((await read(fixture.green.admin.token, sheet?.id ?? '')).status).toBe(404)
    const { headers } = await read(fixture.green.clerk.token, sheet?.id ?? '')
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
  })
})

describe('a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'that is a %s is encoded anew, within 2000 pixels, without its metadata',
    async (format) => {
      const sent = await picture(4000, 1000)
        .withExif({ IFD0: { Copyright: 'where-I-live' } })
        .toFormat(format)
        .toBuffer()
      expect(sent.includes('where-I-live')).toBe(true)
      const { status, data } = await upload(fixture.green.clerk.token, sent, '站点 1.PNG')
      expect({ status, data }).toMatchObject({ status: 200, data: { name: '站点 1.webp', width: 2000, height: 500 } })
      const { bytes = Buffer.alloc(0), headers } = await read(fixture.green.clerk.token, data.id)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 2000, height: 500 })
      expect(bytes.includes('where-I-live')).toBe(false)
      expect(bytes.length).toBe(data.bytes)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(data.bytes),
        'content-disposition': `inline; filename="__ 1.webp"; filename*=UTF-8''%E7%AB%99%E7%82%B9%201.webp`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
    },
  )

  it('is recorded in the audit log', async () => {
    const { data } = await upload(fixture.green.clerk.token, await png())
    const logged = await api.sql(
      "select result, user_id from audit_log where content = '上传图片' and user_id = $1 and result = 1",
      [fixture.green.clerk.id],
    )
    const [row] = await api.sql('select kind, attached, created_by, sha256 from stored_file where id = $1', [data.id])
    expect(logged.length).toBeGreaterThan(0)
    expect(row).toMatchObject({
      kind: 'picture',
      attached: false,
      sha256: expect.stringMatching(/^[\da-f]{64}$/) as string,
    })
  })

  it('uploaded twice with one idempotency key is one picture and one object', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const before = objects().length
    const send = async () =>
      api.call(fixture.green.clerk.token, file.uploadPicture, { file: asFile(await png()), headers })
    const [first, second] = [await send(), await send()]
    expect(second.data).toEqual(first.data)
    expect(objects().length).toBe(before + 1)
    const other = await api.call(fixture.green.clerk.token, file.uploadPicture, {
      file: asFile(await picture(9, 9).png().toBuffer()),
      headers,
    })
    expect(other.status).toBe(422)
    expect(objects().length).toBe(before + 1)
  })

  it('can be attached once, by its uploader only', async () => {
    const { data } = await upload(fixture.green.clerk.token, await png())
    await expect(attach(fixture.green.admin.token, data.id)).rejects.toThrow('图片已失效，请重新上传')
    await expect(attach(fixture.swift.clerk.token, data.id)).rejects.toThrow('图片已失效，请重新上传')
    await attach(fixture.green.clerk.token, data.id)
    await expect(attach(fixture.green.clerk.token, data.id)).rejects.toThrow('图片已失效，请重新上传')
  })
})

describe('an upload that is no picture', () => {
  const wrongKind = { status: 422, message: '仅支持 JPG、PNG 格式' }
  const frames = () => sharp(randomBytes(20 * 40 * 3), { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
  const cases: [string, () => Promise<Buffer>][] = [
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', async () => picture().gif().toBuffer()],
    ['a TIFF', async () => picture().tiff().toBuffer()],
    ['an AVIF', async () => picture(16, 16).avif().toBuffer()],
    ['a PDF with a picture inside', async () => Buffer.concat([Buffer.from('%PDF-1.7\n'), await png()])],
    [
      'a moving WebP',
      async () =>
        frames()
          .webp({ delay: [100, 100] })
          .toBuffer(),
    ],
    ['a moving PNG', async () => animatedPng(await png())],
    ['nothing', async () => Buffer.alloc(0)],
  ]
  it.each(cases)('%s is refused, whatever its name and type', async (_, make) => {
    expect(await upload(fixture.green.clerk.token, await make(), 'a.png')).toMatchObject(wrongKind)
  })

  it('a truncated picture is refused', async () => {
    const bytes = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#123',
        noise: { type: 'gaussian', mean: 99, sigma: 50 },
      },
    })
      .png()
      .toBuffer()
    expect(await upload(fixture.green.clerk.token, bytes.subarray(0, 5000))).toMatchObject({
      status: 422,
      message: '图片已损坏，请更换',
    })
  })

  it('a picture above 800 KB is refused during the upload, whatever its full size', async () => {
    const { token } = fixture.green.clerk
    const tooLarge = { status: 413, message: '图片大小不能超过800KB' }
    expect(await upload(token, Buffer.alloc(819_201, 1))).toMatchObject(tooLarge)
    expect(await upload(token, Buffer.alloc(60_000_000, 1))).toMatchObject(tooLarge)
    expect((await upload(token, Buffer.alloc(819_200, 1))).message).toBe(wrongKind.message)
  })

  it('a form without a file or with an unknown field is refused', async () => {
    const { token } = fixture.green.clerk
    expect(await api.call(token, file.uploadPicture)).toMatchObject({ status: 422, message: '请选择文件' })
    expect(
      (await api.call(token, file.uploadPicture, { body: { kind: 'x' } as never, file: asFile(await png()) })).status,
    ).toBe(422)
  })
})

/** A PNG with an animation chunk before its pixels. */
function animatedPng(still: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('acTL'), Buffer.alloc(8, 1), Buffer.alloc(4)])
  return Buffer.concat([still.subarray(0, 33), chunk, still.subarray(33)])
}

describe('a hostile file name', () => {
  it('is no part of the object key and cannot break a header', async () => {
    expect(hostileNames.length).toBeGreaterThanOrEqual(60)
    const bytes = await png()
    for (const name of hostileNames) {
      const { status, data } = await upload(fixture.green.clerk.token, bytes, name)
      expect(status, JSON.stringify(name)).toBe(200)
      const [row] = await api.sql<{ object_key: string; name: string }>(
        'select object_key, name from stored_file where id = $1',
        [data.id],
      )
      expect(row?.object_key).toMatch(/^picture\/\d+\/[\da-f-]{36}$/)
      expect(row?.name).toMatch(/^[^/\\"'<>:|?*;%\p{C}]{1,110}$/u)
      const { headers } = await read(fixture.green.clerk.token, data.id)
      expect(headers.get('content-disposition')).toMatch(/^inline; filename="[\w. -]+"; filename\*=UTF-8''[\w.~%-]+$/)
      expect(headers.has('set-cookie')).toBe(false)
    }
  })
})

describe('failing storage', () => {
  it('is reported as 503, leaves no row, and does not affect other routes', async () => {
    const brokenApi = await startApi({ files: { ...storage, endpoint: 'http://127.0.0.1:9' } })
    const people = await makeFixture(brokenApi)
    const reply = await brokenApi.call(people.green.clerk.token, file.uploadPicture, { file: asFile(await png()) })
    expect(reply).toMatchObject({ status: 503, message: '文件服务暂不可用' })
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(await brokenApi.sql('select id from stored_file')).toEqual([])
    expect(await brokenApi.deps.files.ready()).toBe(false)
    await expect.poll(() => api.deps.files.ready()).toBe(true)
  })

  it('without a reply is aborted at the time limit', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const files = new Files({ ...storage, endpoint: `http://127.0.0.1:${port}` })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let isPending = true
      const pendingUpload = files.put('picture/1/x', Buffer.from('x')).finally(() => {
        isPending = false
      })
      pendingUpload.catch(() => undefined)
      await once(silent, 'connection')
      await vi.advanceTimersByTimeAsync(7999)
      expect(isPending).toBe(true)
      await vi.advanceTimersByTimeAsync(1)
      await expect(pendingUpload).rejects.toThrow('文件服务暂不可用')
    } finally {
      vi.useRealTimers()
    }
    files.close()
    silent.close()
  })

  it('with a lost object returns 404, not an internal error', async () => {
    const { data } = await upload(fixture.green.clerk.token, await png())
    const [row] = await api.sql<{ object_key: string }>('select object_key from stored_file where id = $1', [data.id])
    await api.deps.files.remove(row?.object_key ?? '')
    expect((await read(fixture.green.clerk.token, data.id)).status).toBe(404)
  })
})

describe('housekeeping', () => {
  it('removes pictures that stay unattached for a day, with their objects, and no others', async () => {
    const [stray, fresh, used] = [
      await upload(fixture.green.clerk.token, await png()),
      await upload(fixture.green.clerk.token, await png()),
      await upload(fixture.green.clerk.token, await png()),
    ]
    await attach(fixture.green.clerk.token, used.data.id)
    await api.sql("update stored_file set created_at = now() - interval '25 hours' where id = any($1)", [
      [stray.data.id, used.data.id],
    ])
    const [row] = await api.sql<{ object_key: string }>('select object_key from stored_file where id = $1', [
      stray.data.id,
    ])
    const worker = await startWorker(api.config, pino({ level: 'silent' }))
    try {
      await api.deps.boss.send('housekeeping', {})
      await expect
        .poll(() =>
          api.deps.files.getStream(row?.object_key ?? '').then(
            ({ body }) => body.destroy(),
            (error: Error) => error.message,
          ),
        )
        .toBe('记录不存在或已被删除')
    } finally {
      await worker.stop()
    }
    expect((await read(fixture.green.clerk.token, stray.data.id)).status).toBe(404)
    expect((await read(fixture.green.clerk.token, fresh.data.id)).status).toBe(200)
    expect((await read(fixture.green.clerk.token, used.data.id)).status).toBe(200)
  })
})
