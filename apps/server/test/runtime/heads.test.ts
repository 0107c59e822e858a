import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../src/kit/db/db.ts'
import { HeadSigner, type HeadStore, publishHeads } from '../../src/kit/audit/heads.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makePayer } from '../fixtures/charging.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'
import { startWorkerProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

let api: TestApi
let fixture: Fixture
let worker: Awaited<ReturnType<typeof startWorkerProcess>> | undefined
// Also runs when the preparation fails.
afterAll(() => worker?.stop())
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  for (let time = 0; time < 3; time++)
    await api.call(fixture.green.admin.token, basicInfo.edit, { body: { name: `第${time}次` } })
  await makePayer(api, fixture.green.id, 1000n)
  worker = await startWorkerProcess(api.config)
  await until(async () => ((await api.sql('select from ledger_block')).length > 0 ? true : undefined))
  store = { files: api.deps.files, prefix: api.config.prefix, signer: new HeadSigner(api.config) }
  // An hour ago, once despite two requests, and now by the worker.
  const pool = createPool(api.config.workerDatabaseUrl, 1, 'heads')
  for (let time = 0; time < 2; time++) published.push(await publishHeads(pool, store, startMs - hourMs))
  await pool.end()
  await api.deps.boss.send('heads.publish', {})
  await until(async () => ((await prove()).at(-1)?.startsWith('2 files') === true ? true : undefined))
  await worker.stop()
})

let store: HeadStore
const published: number[] = []
const hourMs = 3_600_000
const startMs = Date.now()
const nameAt = (ms: number) => `heads/${api.config.prefix}/${new Date(ms).toISOString().slice(0, 13)}`
/** The output for an operator who compares them. */
async function prove(): Promise<string[]> {
  const { files, secretKeys, workerDatabaseUrl } = api.config
  const env = {
    ...process.env,
    SECRET_KEYS: secretKeys.join(','),
    WORKER_DATABASE_URL: workerDatabaseUrl,
    S3_ENDPOINT: files.endpoint,
    S3_BUCKET: files.bucket,
    PREFIX: api.config.prefix,
  }
  const run = promisify(execFile)(process.execPath, ['tools/ops/heads-prove.ts'], { env })
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
  return stdout.trim().split('\n')
}
const breaksOf = async (what: string) => (await prove()).filter((line) => line.includes(`: ${what}`))

/** Changes a log entry and every later hash, so that the chain itself is consistent. */
const rewrite = (content: string) =>
  api.sql(
    `do $$ declare entry audit_log; before bytea;
     begin
       for entry in select * from audit_log where organise_id = ${fixture.green.id} order by seq loop
         if entry.seq = 2 then entry.content := '${content}'; end if;
         entry.prev_hash := coalesce(before, entry.prev_hash);
         before := app.audit_hash(entry.prev_hash, entry);
         update audit_log set content = entry.content, prev_hash = entry.prev_hash, hash = before where id = entry.id;
         update audit_chain set hash = before where organise_id = entry.organise_id;
       end loop;
     end $$`,
  )

describe('heads of the audit log and the ledger', () => {
  it('are published outside the database, and agree with it', async () => {
    expect(published).toEqual([expect.any(Number), 0])
    expect(published[0]).toBeGreaterThan(1)
    expect(await prove()).toEqual([expect.stringMatching(/^2 files, \d+ heads, 0 broken$/)])
  })

  it('[attack.M4] reveal a chain that its owner has rewritten consistently', async () => {
    const [line] = await api.sql<{ content: string }>(
      'select content from audit_log where organise_id = $1 and seq = 2',
      [fixture.green.id],
    )
    await rewrite('无事发生')
    expect(await api.sql('select * from app.audit_breaks()')).toEqual([])
    expect((await breaksOf('differs')).length).toBe(2)
    await rewrite(line?.content ?? '')
    expect(await breaksOf('differs')).toEqual([])
  })

  it('[attack.M4] reveal replaced ledger blocks', async () => {
    await api.sql('alter table ledger_block disable trigger never_changes')
    await api.sql('update ledger_block set hash = sha256(hash) where organise_id = $1', [fixture.green.id])
    expect((await breaksOf('differs'))[0]).toContain(`organisation ${fixture.green.id}, ledger`)
  })

  it('[attack.M4] cannot be written without the key, nor removed unnoticed', async () => {
    const before = nameAt(startMs - hourMs)
    // The hour may end before the worker writes.
    const isThere = (name: string) =>
      api.deps.files.getStream(name).then(
        ({ body }) => body.destroy() !== undefined,
        () => false,
      )
    const newest = (await isThere(nameAt(startMs))) ? nameAt(startMs) : nameAt(startMs + hourMs)
    const stranger = new HeadSigner({ secretKeys: [`k9:${Buffer.alloc(32, 9).toString('base64')}`], headKeys: [] })
    const forged = { at: new Date().toISOString(), before, heads: [] }
    await api.deps.files.put(newest, Buffer.from(stranger.sign(newest, forged)))
    expect(await breaksOf('unsigned')).toEqual([`${newest}: unsigned`])
    await api.deps.files.put(newest, Buffer.from(store.signer.sign(newest, forged)))
    await api.deps.files.remove(before)
    expect(await breaksOf('missing')).toEqual([`${before}: missing`])
  })
})
