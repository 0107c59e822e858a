import type { TestApi } from './api.ts'

/** Models to make devices of: one that speaks DNY, one that speaks JSON over MQTT. Made once a database. */
export type Models = { category: string; small: string; dny: string; mqtt: string }

export async function makeModels(api: TestApi): Promise<Models> {
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const [there] = await api.sql<Models>(
    `select category_id as category, small_category_id as small, id as dny,
       (select id from device_type where code = '91-01-02') as mqtt from device_type where code = '91-01-01'`,
  )
  if (there !== undefined) return there
  const category = await one("insert into device_category (level, code, name) values (1, '91', '测试充电桩')", [])
  const small = await one(
    "insert into device_category (parent_id, level, code, name) values ($1, 2, '91-01', '测试两轮桩')",
    [category],
  )
  const protocol = (code: string, adapter: string, transport: number) =>
    one(
      `insert into dtu_protocol (code, name, version, adapter, transport, access_way, heartbeat_s)
       values ($1, $1, 'V1', $2, $3, 0, 60)`,
      [code, adapter, transport],
    )
  const type = (code: string, name: string, ports: number, protocolId: string) =>
    one(
      `insert into device_type (code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
       values ($1, $2, $3, $4, $5, 0, 1000, $6)`,
      [code, name, category, small, ports, protocolId],
    )
  const dny = await type('91-01-01', '双路桩', 2, await protocol('TEST-DNY', 'dny', 1))
  const mqtt = await type('91-01-02', '十路桩', 10, await protocol('TEST-MQTT', 'mqtt-json', 6))
  await api.sql(
    `update device_type set attribute_template_id = (select item.attribute_template_id from attribute_template_item item
       join platform_attribute attribute on attribute.id = item.platform_attribute_id and attribute.identifier = 'maxDuration' limit 1)
     where id = any($1)`,
    [[dny, mqtt]],
  )
  return { category, small, dny, mqtt }
}

type Wish = {
  organiseId: string
  agentId?: string | null
  siteId?: string | null
  typeId: string
  name?: string
  deviceNo?: string
}
let serial = 0

export async function makeDevice(api: TestApi, wish: Wish): Promise<string> {
  const deviceNo = wish.deviceNo ?? `T${process.pid}${String(++serial).padStart(5, '0')}`
  const [made] = await api.sql<{ id: string }>(
    `insert into device (organise_id, agent_id, site_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports, created_by)
     select $1, $2, $3, $4, $5, type.id, type.category_id, type.small_category_id, protocol.adapter, $4, type.port_count, type.port_count, '张伟'
     from device_type type join dtu_protocol protocol on protocol.id = type.protocol_id where type.id = $6 returning id`,
    [wish.organiseId, wish.agentId ?? null, wish.siteId ?? null, deviceNo, wish.name ?? '测试设备', wish.typeId],
  )
  return made?.id ?? ''
}

type Said = { kind: string; content: object; portNo?: number; direction?: 1 | 2; frame?: string; at?: string }

/** What a gateway would have written of a message; the numbers of one moment follow each other. */
export async function makeMessage(api: TestApi, deviceId: string, said: Said): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into device_message (id, device_id, organise_id, agent_id, site_id, direction, kind, port_no, content, frame)
     select app.message_id(coalesce($2::timestamptz, now())) + $3, id, organise_id, agent_id, site_id, $4, $5, $6, $7, decode($8, 'hex')
     from device where id = $1 returning id`,
    [
      deviceId,
      said.at ?? null,
      ++serial,
      said.direction ?? 1,
      said.kind,
      said.portNo ?? null,
      JSON.stringify(said.content),
      said.frame ?? null,
    ],
  )
  return made?.id ?? ''
}

export async function makeLetter(api: TestApi): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into device_dead_letter (id, wire, reason, content, frame)
     values (app.message_id(now()) + $1, '40aace04', '设备未登记', '{"kind": "heartbeat"}', decode('444e59', 'hex')) returning id`,
    [++serial],
  )
  return made?.id ?? ''
}

/** What commands need to find: a device that is there with a charge at its first port, and by route what the call is about. */
export async function makeCommanded(api: TestApi, deviceId: string, route: string): Promise<string> {
  await api.sql('update device set online = true where id = $1', [deviceId])
  if (route === 'stopPort') await api.sql("update port set order_no = '91' where device_id = $1", [deviceId])
  if (route === 'cancel') {
    const [command] = await api.sql<{ id: string }>(
      `insert into device_command (organise_id, device_id, kind, content, when_offline, expires_at, issued_by)
       select organise_id, id, 'restart', '{"kind": "restart"}', 1, now() + interval '1 hour', '张伟' from device where id = $1 returning id`,
      [deviceId],
    )
    return command?.id ?? ''
  }
  if (route !== 'approve' && route !== 'turnDown') return deviceId
  const [job] = await api.sql<{ id: string }>(
    `insert into batch_job (organise_id, user_id, kind, title, params, status, total, created_by)
     select u.organise_id, u.id, 'device.operate', '批量重启设备', '{}', 7, 1, u.name from device d
     join user_account u on u.organise_id = d.organise_id where d.id = $1 limit 1 returning id`,
    [deviceId],
  )
  return job?.id ?? ''
}
