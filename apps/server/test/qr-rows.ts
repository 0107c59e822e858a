import type { TestApi } from './api.ts'
import { makeDevice } from './devices.ts'

type Wish = {
  organiseId: string
  agentId?: string | null
  siteId?: string | null
  kind?: number
  portNo?: number
  deviceId?: string
}
let serial = 0

/** A code as a worker would have made it, signed, in a batch of its own. */
export async function makeCode(api: TestApi, wish: Wish): Promise<{ id: string; codeNo: string; content: string }> {
  const number = `T${process.pid}${String(++serial).padStart(5, '0')}`.padEnd(12, '0').slice(0, 14)
  const codeNo = wish.portNo === undefined ? number : number + String(wish.portNo).padStart(2, '0')
  const content = api.deps.codes.contentOf(codeNo)
  const place = [wish.organiseId, wish.agentId ?? null, wish.siteId ?? null]
  const [batch] = await api.sql<{ id: string; batch_no: string }>(
    `insert into qr_batch (organise_id, agent_id, site_id, batch_no, type, kind, units, ports, total, made, prefix, status, user_id, created_by)
     values ($1, $2, $3, 'B20260101-' || lpad($4::text, 6, '0'), $5::smallint, $6, 1, $5::smallint, 1, 1, 'T', 1, 1, '张伟') returning id, batch_no`,
    [...place, serial, wish.portNo === undefined ? 0 : 1, wish.kind ?? 1],
  )
  const [made] = await api.sql<{ id: string }>(
    `insert into qr_code (organise_id, agent_id, site_id, batch_id, batch_no, code_no, set_no, type, kind, content, port_no, device_id, status, used_at, bound_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::bigint, case when $12 is null then 0 else 1 end,
       case when $12 is null then null else now() end, case when $12 is null then null else now() end) returning id`,
    [
      ...place,
      batch?.id,
      batch?.batch_no,
      codeNo,
      number,
      wish.portNo === undefined ? 0 : 1,
      wish.kind ?? 1,
      content,
      wish.portNo ?? null,
      wish.deviceId ?? null,
    ],
  )
  return { id: made?.id ?? '', codeNo, content }
}

/** A suspicion that nobody has looked at yet. */
export async function makeSuspicion(api: TestApi, codeId: string, expected: string, likely: string): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into qr_suspicion (organise_id, agent_id, site_id, code_id, expected_device_id, likely_device_id, likely_port_no)
     select organise_id, agent_id, site_id, $1, $2, $3, 1 from qr_code where id = $1 returning id`,
    [codeId, expected, likely],
  )
  return made?.id ?? ''
}

/** What each route of codes needs to find before it can change it. */
export async function makeCodeFor(
  api: TestApi,
  route: string,
  place: Parameters<typeof makeDevice>[1],
): Promise<string> {
  if (route === 'miniAppUse') return (await makeCode(api, { ...place, kind: 2 })).id
  if (route === 'bind') await makeDevice(api, { ...place, deviceNo: 'QRBIND01' })
  if (route !== 'unbind' && route !== 'judge') return (await makeCode(api, place)).id
  const deviceId = await makeDevice(api, place)
  const { id } = await makeCode(api, { ...place, deviceId })
  return route === 'unbind' ? id : makeSuspicion(api, id, deviceId, await makeDevice(api, place))
}
