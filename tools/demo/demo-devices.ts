import { wireIdOf } from '@wattdeck/domain/device-number.ts'
import type pg from 'pg'

/** Two devices at each demo site, of supported delivered models, in the state of their last report. */
type Type = { id: string; code: string; name: string; ports: number; adapter: string }
type Site = { id: string; organise_id: string; agent_id: string | null; name: string }

const models = ['02-02-02', '02-05-02', '02-02-01', '02-02-03', '02-02-02', '04-01-05']
const places = ['东门', '西门', '地下车库', '1号楼', '2号楼', '车棚']
const versions = ['1.26', '1.26', '1.27', '2.01']

/** Adds the missing devices, identified by number. Without a catalogue it adds none. */
export async function addDemoDevices(client: pg.Client): Promise<void> {
  const { rows: types } = await client.query<Type>(
    `select type.id, type.code, type.name, type.port_count as ports, protocol.adapter
     from device_type type join dtu_protocol protocol on protocol.id = type.protocol_id
     where type.code = any($1) and protocol.adapter is not null`,
    [models],
  )
  if (types.length === 0) return
  const byCode = new Map(types.map((type) => [type.code, type]))
  const usable = models.flatMap((code) => byCode.get(code) ?? [])
  const { rows: sites } = await client.query<Site>(
    'select id, organise_id, agent_id, name from site where id < 1000 and deleted_at is null order by id',
  )
  const devices = sites.flatMap((site) => [site, site]).map((site, place) => deviceAt(site, place, usable))
  const { rowCount } = await client.query(insertDevices, [JSON.stringify(devices)])
  if (rowCount === 0) return
  await client.query(speak)
  await client.query(countPorts)
  await client.query(pastReports)
  await client.query(pastEvents)
  await client.query(pastCommands)
  await client.query(reportedAttributes)
}

function deviceAt(site: Site, place: number, usable: readonly Type[]) {
  const type = usable[place % usable.length]
  if (type === undefined) throw new Error('no device type is available')
  const no = type.adapter === 'dny' ? String(13_544_000 + place * 17) : `WD26${String(100_000 + place * 31)}`
  return {
    id: place + 1,
    organise: site.organise_id,
    agent: site.agent_id,
    site: site.id,
    no,
    name: `${site.name}${places[place % places.length] ?? ''}${type.ports > 2 ? '插座' : '桩'}`.slice(0, 60),
    type: type.id,
    wire: wireIdOf(type.adapter, no, type.ports) ?? no,
    adapter: type.adapter,
    ports: type.ports,
    imei: `8675320${String(40_000_000 + place * 13)}`,
    iccid: `898604${String(1_026_110_000_000 + place * 29)}`,
    version: versions[place % versions.length],
    // Most are installed and online; some are not installed yet, some are removed.
    online: place % 7 !== 3 && place % 19 !== 5,
    install: place % 29 === 11 ? 0 : place % 37 === 17 ? 2 : 1,
    serviceDays: place % 23 === 7 ? -12 : place % 11 === 4 ? 18 : 90 + ((place * 17) % 400),
  }
}

const insertDevices = `
  insert into device (id, organise_id, agent_id, site_id, device_no, name, device_type_id, category_id, small_category_id, adapter,
    wire_id, port_count, imei, iccid, software_version, hardware_version, install_status, installed_by, installed_at, service_until, online,
    created_by, created_at)
  select demo.id, organise, agent, site, no, demo.name, demo.type, type.category_id, type.small_category_id, demo.adapter, wire, ports, imei,
    iccid, version, 'V2.1', install, case install when 0 then null else '罗大勇' end,
    case install when 0 then null else now() - make_interval(days => 300 - demo.id::int * 2) end,
    (now() at time zone 'Asia/Shanghai')::date + "serviceDays", online and install = 1, '张伟', now() - make_interval(days => 310 - demo.id::int * 2)
  from jsonb_to_recordset($1::jsonb) as demo (id bigint, organise bigint, agent bigint, site bigint, no text, name text, type bigint, wire text,
    adapter text, ports smallint, imei text, iccid text, version text, online boolean, install smallint, "serviceDays" int)
  join device_type type on type.id = demo.type
  on conflict do nothing`

/** The last report of each device: most ports are free, some charge, a few are broken. */
const speak = `
  with spoken as (
    update device_state set csq = 4 + (device_id * 7) % 26, temperature_c = 24 + device_id % 14, voltage_dv = 2180 + device_id % 60,
      address = '10.8.' || device_id % 200 || '.' || 10 + device_id % 80 || ':' || 40000 + device_id, gateway = 1,
      connected_at = now() - make_interval(hours => (device_id % 70)::int + 1),
      last_seen_at = case when device.online then now() - make_interval(secs => (device_id % 50)::int) else now() - make_interval(hours => (device_id % 90)::int + 2) end,
      disconnected_at = case when device.online then null else now() - make_interval(hours => (device_id % 90)::int + 2) end
    from device where device.id = device_id and device_id < 1000 and device.install_status = 1
    returning device_id
  )
  update port set status = case when (port.device_id * 3 + port_no) % 31 = 0 then 3 when (port.device_id + port_no * 5) % 4 = 0 then 2
      when (port.device_id + port_no) % 13 = 0 then 5 else 1 end,
    status_since = now() - make_interval(mins => ((port.device_id * 13 + port_no * 7) % 190)::int + 3), reported_at = now()
  from spoken where port.device_id = spoken.device_id`

const countPorts = `
  with working as (
    update port set power_dw = 1100 + (device_id * 37 + port_no * 91) % 2400, voltage_dv = 2190, current_ma = 500 + (device_id * 17) % 900,
      minutes = extract(epoch from now() - status_since)::int / 60, energy_wh = extract(epoch from now() - status_since)::int / 20,
      temperature_c = 31 + (device_id + port_no) % 12
    where status = 2 and device_id < 1000 and power_dw is null
  )
  update device set free_ports = now.free, working_ports = now.working, fault_ports = now.fault, connected_ports = now.connected
  from (select device_id, count(*) filter (where status = 1) as free, count(*) filter (where status = 2) as working,
      count(*) filter (where status = 3) as fault, count(*) filter (where status = 5) as connected
    from port where device_id < 1000 group by device_id) now
  where device.id = now.device_id`

/**
 * Reports of the last five hours at the first working port of some devices: a charge that begins strongly and fades.
 */
const pastReports = `
  insert into device_message (id, device_id, organise_id, agent_id, site_id, direction, kind, port_no, content)
  select app.message_id(now() - make_interval(mins => 300 - minute)) + device.id, device.id, organise_id, agent_id, site_id, 1, 'portReport', port_no,
    jsonb_build_object('kind', 'portReport', 'port', port_no, 'status', jsonb_build_object('name', 'working', 'raw', 1),
      'powerDw', greatest(80, 2300 - greatest(0, minute - 150) * 14 + (minute * 37) % 60), 'energyWh', minute * 3, 'durationS', minute * 60,
      'voltageDv', 2185 + minute % 30, 'currentMa', 1000 - greatest(0, minute - 150) * 6, 'temperatureC', 30 + minute / 40)
  from device cross join generate_series(0, 300, 2) minute
  cross join lateral (select port_no from port where device_id = device.id order by status <> 2, port_no limit 1) port
  where device.id <= 12 and device.online on conflict do nothing`

const pastEvents = `
  insert into device_event (id, part, device_id, organise_id, agent_id, site_id, kind, port_no, detail, at)
  select app.message_id(now() - make_interval(mins => n * 55)) + device.id, 0, device.id, organise_id, agent_id, site_id,
    (array['online', 'portStatus', 'portStatus', 'alarm', 'offline', 'registered'])[n],
    case when n in (2, 3) then n end,
    case n when 2 then '{"from": 1, "to": 2}' when 3 then '{"from": 2, "to": 1}' when 4 then '{"alarm": {"name": "heat", "raw": 5}}' else '{}' end::jsonb,
    now() - make_interval(mins => n * 55)
  from device cross join generate_series(1, 6) n where device.id <= 40 and device.install_status = 1 on conflict do nothing`

/** Some completed, one refused, one without a reply, one pending. */
const pastCommands = `
  insert into device_command (id, organise_id, agent_id, site_id, device_id, kind, port_no, content, status, when_offline, expires_at, counter,
    sent_at, answer_by, ended_at, reason, issued_by)
  select app.message_id(now() - make_interval(mins => n * 7)) + device.id, organise_id, agent_id, site_id, device.id,
    (array['restart', 'query', 'startPort', 'restart', 'readAttributes'])[n], case n when 3 then 1 end,
    case n when 3 then '{"kind": "startPort", "port": 1, "orderNo": "9261115083000123456", "limit": {"by": "duration", "durationS": 300}}'
      when 5 then '{"kind": "readAttributes", "identifiers": ["maxDuration"]}' else jsonb_build_object('kind', (array['restart', 'query'])[1 + (n = 2)::int])::text end::jsonb,
    (array[4, 4, 5, 7, 4])[n], 2, now() - make_interval(mins => n * 7 - 1), n, now() - make_interval(mins => n * 7), now() - make_interval(mins => n * 7 - 1),
    now() - make_interval(mins => n * 7 - 1), (array[null, null, 'unplugged', 'noAnswer', null])[n], '张伟'
  from device cross join generate_series(1, 5) n where device.id <= 12 and device.install_status = 1 on conflict do nothing`

const reportedAttributes = `
  insert into device_attribute (device_id, identifier, organise_id, agent_id, site_id, reported, reported_at, desired, desired_at, desired_by, desired_status)
  select device.id, attribute.identifier, device.organise_id, device.agent_id, device.site_id, coalesce(item.default_value, attribute.default_value)::numeric,
    now() - interval '40 minutes', case when item.sort % 4 = 1 then coalesce(item.default_value, attribute.default_value)::numeric end,
    case when item.sort % 4 = 1 then now() - interval '41 minutes' end, case when item.sort % 4 = 1 then '张伟' end, case when item.sort % 4 = 1 then 2 end
  from device join device_type type on type.id = device.device_type_id
  join attribute_template_item item on item.attribute_template_id = type.attribute_template_id
  join platform_attribute attribute on attribute.id = item.platform_attribute_id and attribute.data_type <> 5
  where device.id <= 12 and device.install_status = 1 and coalesce(item.default_value, attribute.default_value) is not null on conflict do nothing`
