import { batch, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { atTier } from '../../../../tools/check/tier.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../harness/people.ts'
import { startWorkerProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

/** A bulk change: its progress, its failures, its completion, and a worker killed midway. */
let api: TestApi
let fixture: Fixture
let editor: Actor
const menus = ['1', '1.4', '1.4.4']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  editor = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_batches', menus })
})

const makeSites = (count: number, prefix: string) =>
  api.sql('insert into site (organise_id, name) select $1, $2 || n from generate_series(1, $3::int) n', [
    fixture.green.id,
    prefix,
    count,
  ])
const jobOf = async (id: string) => (await api.call(editor.token, batch.detail, { query: { id } })).data
const finished = (id: string) =>
  until(async () => {
    const job = await jobOf(id)
    return job.status > batchStatus.code.running ? job : undefined
  })
/** How often each site was changed, according to the log. */
const changesOf = (prefix: string) =>
  api.sql<{ times: number; sites: number }>(
    `select times, count(*)::int as sites from (
       select change ->> 'rowId' as id, count(*)::int as times from audit_log, jsonb_array_elements(changes) change
       where change ->> 'table' = 'site' and (change ->> 'rowId')::bigint in (select id from site where name like $1)
       group by 1) counted group by times order by times`,
    [`${prefix}%`],
  )

/** Slows site updates, so that a worker cannot finish a batch before the test reads its progress. */
async function slowUpdates() {
  await api.sql(
    `create function slow_update() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return new; end'`,
  )
  await api.sql('create trigger slow_update before update on site for each row execute function slow_update()')
  return () => api.sql('drop function slow_update cascade')
}

// The worker commits in chunks of 100 rows.
const total = atTier(1000, 10_000)
const failing = total / 100

describe('a batch in which one row in a hundred fails', () => {
  let jobId: string

  it('reports its progress, survives a killed worker, and changes no row twice', async () => {
    await makeSites(total, '批量站点')
    const [one] = await api.sql<{ id: string }>("select id from site where name = '批量站点1'")
    await makePerson(api, { organiseId: fixture.green.id, siteId: one?.id ?? '', loginName: 'batch_keeper' })
    const started = await api.call(editor.token, site.batchTransfer, {
      body: { filter: `keyword=${encodeURIComponent('批量站点')}`, agentId: fixture.green.agentId },
    })
    expect(started.status).toBe(200)
    ;({ jobId } = started.data)
    expect(await jobOf(jobId)).toMatchObject({ total, done: 0, status: batchStatus.code.waiting })
    await api.sql("update site set deleted_at = now() where name like '批量站点%00'")

    const endSlowness = await slowUpdates()
    const first = await startWorkerProcess(api.config)
    const progress = await until(async () => {
      const job = await jobOf(jobId)
      return job.done > total / 10 ? job : undefined
    })
    await first.kill()
    expect(progress.done).toBeLessThan(total - failing)
    await endSlowness()

    const second = await startWorkerProcess(api.config)
    const end = await finished(jobId)
    await second.stop()
    expect(end).toMatchObject({ status: batchStatus.code.partly, done: total - failing, failed: failing })
    expect(await changesOf('批量站点')).toEqual([{ times: 1, sites: total - failing }])
    expect(await api.sql('select agent_id from user_account where login_name = $1', ['batch_keeper'])).toEqual([
      { agent_id: fixture.green.agentId },
    ])
  })

  it('lists each failure with its reason', async () => {
    const { data } = await api.call(editor.token, batch.items, {
      params: { id: jobId },
      query: { status: batchItemStatus.code.failed, pageSize: 500 },
    })
    expect(data).toMatchObject({ total: failing, bounded: false })
    expect(new Set(data.rows.map((row) => row.reason))).toEqual(new Set(['记录不存在或已被删除']))
    expect(data.rows.every((row) => row.label.endsWith('00'))).toBe(true)
  })

  it('retries only the failed rows', async () => {
    await api.sql("update site set deleted_at = null where name like '批量站点%00'")
    expect((await api.call(editor.token, batch.retry, { body: { id: jobId } })).status).toBe(200)
    const worker = await startWorkerProcess(api.config)
    expect(await finished(jobId)).toMatchObject({ status: batchStatus.code.done, done: total, failed: 0 })
    await worker.stop()
    expect(await changesOf('批量站点')).toEqual([{ times: 1, sites: total }])
  })
})

describe('a job', () => {
  const start = () =>
    api.call(editor.token, site.batchToggle, {
      body: { filter: `keyword=${encodeURIComponent('小批站点')}`, status: 0 },
    })

  it('is visible to and controlled by its creator only', async () => {
    await makeSites(5, '小批站点')
    const { data } = await start()
    const colleague = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_colleague', menus })
    expect((await api.call(colleague.token, batch.list)).data.rows).toEqual([])
    for (const route of [batch.retry, batch.cancel, batch.commit])
      expect((await api.call(colleague.token, route, { body: { id: data.jobId } })).status).toBe(404)
    expect((await api.call(colleague.token, batch.items, { params: { id: data.jobId } })).status).toBe(404)
  })

  it('does nothing when cancelled before it begins', async () => {
    const { data } = await start()
    expect((await api.call(editor.token, batch.cancel, { body: { id: data.jobId } })).status).toBe(200)
    expect(await jobOf(data.jobId)).toMatchObject({ status: batchStatus.code.cancelled, done: 0 })
    expect((await api.call(editor.token, batch.cancel, { body: { id: data.jobId } })).status).toBe(409)
  })

  it('stops when its creator has lost the right meanwhile', async () => {
    const leaver = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_leaver', menus })
    const { data } = await api.call(leaver.token, site.batchToggle, {
      body: { filter: `keyword=${encodeURIComponent('小批站点')}`, status: 0 },
    })
    await api.sql('delete from role_resource where role_id = $1', [leaver.roleId])
    const worker = await startWorkerProcess(api.config)
    const job = await until(async () => {
      const { data: seen } = await api.call(leaver.token, batch.detail, { query: { id: data.jobId } })
      return seen.status === batchStatus.code.stopped ? seen : undefined
    })
    await worker.stop()
    expect(job).toMatchObject({ done: 0, reason: '您没有该操作的权限' })
  })

  it('is refused without rows or with an unknown filter', async () => {
    const none = await api.call(editor.token, site.batchToggle, { body: { status: 0 } as never })
    expect(none).toMatchObject({ status: 422, message: '当前未选择任何记录' })
    const empty = await api.call(editor.token, site.batchToggle, { body: { filter: 'type=4', status: 0 } })
    expect(empty).toMatchObject({ status: 422, message: '当前未选择任何记录' })
    const unknown = await api.call(editor.token, site.batchToggle, { body: { filter: 'color=red', status: 0 } })
    expect(unknown.status).toBe(422)
  })

  it('is refused above its limit, and leaves neither a job nor items', async () => {
    const count = async () =>
      (
        await api.sql<{ n: number }>('select (select count(*) from batch_job) + (select count(*) from batch_item) as n')
      )[0]
    const before = await count()
    // Without triggers, which would take a minute for this many rows.
    await api.sql(`set session_replication_role = replica;
      insert into site (organise_id, name, type) select ${fixture.green.id}, '超限站点' || n, 2 from generate_series(1, 50001) n;
      set session_replication_role = origin`)
    const above = await api.call(editor.token, site.batchToggle, { body: { filter: 'type=2', status: 0 } })
    expect(above).toMatchObject({ status: 422, message: '一次最多处理50000条记录，请缩小查询范围' })
    expect(await count()).toEqual(before)
  })
})
