import type { TestApi } from './api.ts'

type AlarmWish = { kind?: number; portNo?: number; status?: 1 | 2 | 3; severity?: number; incidentId?: string }

/** An alarm as the worker would have raised it. */
export async function makeAlarm(api: TestApi, deviceId: string, wish: AlarmWish = {}): Promise<string> {
  const { kind = 2, portNo = 1, status = 1, severity = 2, incidentId = null } = wish
  const [made] = await api.sql<{ id: string }>(
    `insert into alarm (organise_id, agent_id, site_id, device_id, device_no, port_no, kind, severity, status, first_at,
       last_at, incident_id, told_at, closed_at, close_reason)
     select organise_id, agent_id, site_id, id, device_no, $2, $3, $4, $5::smallint, now(), now(), $6, now(),
       case when $5::smallint = 3 then now() end, case when $5::smallint = 3 then '测试' end
     from device where id = $1 returning id`,
    [deviceId, portNo, kind, severity, status, incidentId],
  )
  return made?.id ?? ''
}

export async function makeIncident(api: TestApi, organiseId: string, label: string): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into incident (organise_id, kind, dimension, value, label, devices, fleet, started_at)
     values ($1, 1, 3, $2, $2, 3, 4, now()) returning id`,
    [organiseId, label],
  )
  return made?.id ?? ''
}

export async function makeTicket(api: TestApi, deviceId: string, alarmId: string | null = null): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into repair_ticket (organise_id, agent_id, site_id, device_id, device_no, port_no, alarm_id, fault, description,
       source, priority, created_by)
     select organise_id, agent_id, site_id, id, device_no, 1, $2::bigint, 2, '端口不通电', 2, 2, '张伟'
     from device where id = $1 returning id`,
    [deviceId, alarmId],
  )
  return made?.id ?? ''
}
