import type { TestApi } from './api.ts'
import { makeDevice, makeMessage, makeModels } from './devices.ts'

/** A device of an organisation for tests, of the model that `makeDevice` was given for others. */
export async function makeReplayTarget(api: TestApi): Promise<string> {
  const { mqtt } = await makeModels(api)
  const [lab] = await api.sql<{ id: string }>(
    `insert into organise (name, test) values ('测试机构', true)
     on conflict (name) do update set remark = null returning id`,
  )
  return makeDevice(api, { organiseId: lab?.id ?? '', typeId: mqtt })
}

/** A replay that waits: nobody has begun it. */
export async function makeReplay(api: TestApi, deviceId: string): Promise<string> {
  const said = await makeMessage(api, deviceId, { kind: 'heartbeat', content: { kind: 'heartbeat', ports: [] } })
  const [made] = await api.sql<{ id: string }>(
    `insert into message_replay (organise_id, agent_id, site_id, device_id, target_device_id, target_organise_id, first_id, end_id, speed, total, created_by)
     select source.organise_id, source.agent_id, source.site_id, source.id, target.id, target.organise_id, $3::bigint, $3::bigint + 1, 0, 1, '张伟'
     from device source, device target where source.id = $1 and target.id = $2 returning id`,
    [deviceId, await makeReplayTarget(api), said],
  )
  return made?.id ?? ''
}
