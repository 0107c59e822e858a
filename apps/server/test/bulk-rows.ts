import type { TestApi } from './api.ts'

/** What the routes of batches and downloads need to find before they can change it: a job or file in the right state. */
const jobStatus: Record<string, number> = { retry: 4, cancel: 1, mapColumns: 0, fixRow: 0, commit: 0 }
const downloadStatus: Record<string, number> = { retry: 3, remove: 2, file: 2 }

export async function makeJob(api: TestApi, userId: string, route: string): Promise<string> {
  const [job] = await api.sql<{ id: string }>(
    `insert into batch_job (organise_id, user_id, kind, title, params, status, total, failed, created_by)
     select organise_id, id, 'site.import', '导入站点', '{"mapping": {}}', $2, 2, 1, name from user_account where id = $1 returning id`,
    [userId, jobStatus[route] ?? 0],
  )
  const cells = ['站点', '小区', '浙江省']
  const values = { name: '站点', type: '小区', province: '浙江省', organiseName: '机构green' }
  await api.sql(
    `insert into batch_item (job_id, seq, organise_id, label, input, status, reason)
     select $1, n, 1, '站点', $2, case n when 1 then 0 else 2 end, case n when 2 then '缺少省' end from generate_series(1, 2) n`,
    [job?.id, JSON.stringify({ cells: [...cells, '机构green'], values })],
  )
  return job?.id ?? ''
}

export async function makeDownload(api: TestApi, userId: string, route: string): Promise<string> {
  const key = `export/1/${crypto.randomUUID()}.csv`
  await api.deps.files.put(key, Buffer.from('a,b'))
  const [made] = await api.sql<{ id: string }>(
    `insert into download (organise_id, user_id, list, title, module, query, conditions, columns, format, status, object_key, expires_at, created_by)
     select organise_id, id, 'site', '站点列表', '站点管理', '', '全部', '{name}', 'csv', $2, $3, now() + interval '1 day', name from user_account where id = $1 returning id`,
    [userId, downloadStatus[route] ?? 2, key],
  )
  return made?.id ?? ''
}
