import type pg from 'pg'

/** Recent faults of demo devices, and their assignees. Already notified, so that no message about the past is sent. */
const alarms = `
  insert into alarm (organise_id, agent_id, site_id, device_id, device_no, port_no, kind, severity, status, count, first_at, last_at, told_at,
    closed_at, close_reason)
  select device.organise_id, device.agent_id, device.site_id, device.id, device.device_no, said.port_no, said.kind, said.severity, said.status, said.count,
    now() - said.ago, now() - said.ago * 0.6, now() - said.ago, case when said.status = 3 then now() - said.ago * 0.3 end,
    case when said.status = 3 then '设备恢复正常' end
  from (values
    (1, 2, 2, 2, 1, 3, interval '3 hours'), (2, 0, 1, 2, 1, 1, interval '26 hours'), (3, 4, 3, 2, 2, 5, interval '50 minutes'),
    (4, 0, 4, 1, 2, 1, interval '20 minutes'), (5, 1, 2, 2, 3, 2, interval '2 days'), (6, 0, 1, 2, 3, 4, interval '4 days'),
    (7, 0, 8, 3, 3, 1, interval '5 days'), (8, 6, 7, 3, 1, 8, interval '6 hours'), (9, 0, 9, 3, 3, 1, interval '7 days'),
    (11, 0, 5, 1, 3, 1, interval '9 days'), (12, 3, 2, 2, 1, 1, interval '90 minutes')
  ) as said (device_id, port_no, kind, severity, status, count, ago)
  join device on device.id = said.device_id and device.port_count >= said.port_no
  where not exists (select from alarm)`
const tickets = `
  insert into repair_ticket (organise_id, agent_id, site_id, device_id, device_no, port_no, fault, description, source, priority, status,
    created_by, created_at, completed_at, result, parts)
  select device.organise_id, device.agent_id, device.site_id, device.id, device.device_no, said.port_no, said.fault, said.description, 2, said.priority,
    said.status, '系统', now() - said.ago, case when said.status = 3 then now() - said.ago * 0.4 end, said.result, said.parts
  from (values
    (1, 2, 2, '2号端口不通电，已告警三次', 2, 2, interval '2 hours', null, null), (3, 4, 3, '4号端口温度偏高', 2, 2, interval '40 minutes', null, null),
    (5, 1, 2, '1号端口插座松动', 3, 3, interval '2 days', '更换插座面板，端口测试正常', '五孔插座面板×1'),
    (6, null, 1, '整机离线，疑似SIM卡接触不良', 2, 3, interval '4 days', '重新插拔SIM卡，信号恢复', null)
  ) as said (device_id, port_no, fault, description, priority, status, ago, result, parts)
  join device on device.id = said.device_id where not exists (select from repair_ticket)`

export async function addDemoUpkeep(client: pg.Client): Promise<void> {
  await client.query(alarms)
  await client.query(tickets)
}
