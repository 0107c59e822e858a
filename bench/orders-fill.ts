import type pg from 'pg'

/** Orders of a year: of a small organisation (2) and of a large one (3), made in turn as they would have been. */
export type Sizes = { small: number; large: number }

const months = 12

/** Months that lie further back than a new installation has. */
async function addMonths(client: pg.Client): Promise<void> {
  for (const table of ['charging_order', 'charge_sample'])
    await client.query(`do $$ declare month timestamp; child text; begin
      for month in select generate_series(date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '${months} months',
        date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '2 months', interval '1 month') loop
        child := '${table}_' || to_char(month, 'YYYYMM');
        if to_regclass(child) is null then
          execute format('create table %I partition of ${table} for values from (%s) to (%s)', child,
            app.message_id(month at time zone 'Asia/Shanghai'), app.message_id((month + interval '1 month') at time zone 'Asia/Shanghai'));
        end if;
      end loop; end $$`)
}

/** Who the orders are of and where: devices, sites and members of both, in the proportion of their orders. */
async function addWorld(client: pg.Client): Promise<void> {
  await client.query(`insert into device_category (id, level, code, name) values (991, 1, '99', '大类')`)
  await client.query(
    `insert into device_category (id, parent_id, level, code, name) values (992, 991, 2, '99-01', '小类')`,
  )
  await client.query(`insert into dtu_protocol (id, code, name, version, adapter, transport, access_way, heartbeat_s)
    values (991, 'BENCH', 'BENCH', '1', 'dny', 1, 0, 60)`)
  await client.query(`insert into device_type (id, code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
    values (991, '99-01-01', '双路桩', 991, 992, 2, 0, 1000, 991), (992, '99-01-02', '十路桩', 991, 992, 10, 0, 3000, 991)`)
  await client.query(`insert into site (id, organise_id, agent_id, name)
    select n, case when n <= 10 then 2 else 3 end, case when n <= 10 then 1 else 2 end, '站点' || n from generate_series(1, 110) n`)
  await client.query(`insert into device (id, organise_id, agent_id, site_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports, online)
    select n, case when n <= 200 then 2 else 3 end, case when n <= 200 then 1 else 2 end, case when n <= 200 then 1 + n % 10 else 11 + n % 100 end,
      'BENCH' || n, '设备' || n, case when n % 100 = 0 then 992 else 991 end, 991, 992, 'dny', 'BENCH' || n, 2, 2, n % 10 > 0 from generate_series(1, 20200) n`)
  await client.query(`insert into member (id, organise_id, nickname, phone)
    select n, case when n <= 2000 then 2 else 3 end, '会员' || n, (13800000000 + n)::text from generate_series(1, 202000) n`)
}

/**
 * The n-th order. One in `every` is the small organisation's. Some are of agents, a few wait for review, the last are
 * open; of each kind both organisations have more than a page.
 */
const orders = (total: number, every: number) => `
  insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type,
    status, limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, peak_power_dw, stop_reason, electricity_fen, service_fen,
    total_fen, paid_fen, review_reasons, settled_at, bill)
  select app.message_id(at) + n % 4194304, organise, case when device % 4 = 0 then case organise when 2 then 1 else 2 end end,
    case organise when 2 then 1 + device % 10 else 11 + device % 100 end, device, 1, 'BENCH' || device, case when device % 100 = 0 then 992 else 991 end,
    n::text, member, case when h % 1000 = 7 then 4 when h % 3 = 0 then 5 else 1 end, 0, status, 1, 300, 300, at, at + interval '1 hour', 3600, 5000, 5200, 'full',
    case when status = 3 then 31 else 0 end, case when status = 3 then 20 else 0 end, case when status = 3 then 51 else 0 end, case when status = 3 then 51 else 0 end,
    case when status = 5 then array['late'] end, case when status in (3, 4) then at + interval '1 hour' end,
    case when status = 3 then '{"billingType": 0, "durationS": 3600, "energyDwh": 5000, "totalFen": "51", "lines": [], "steps": []}'::jsonb end
  from (
    select n, h, at, organise, case organise when 2 then 1 + h % 200 else 201 + h % 20000 end as device,
      case organise when 2 then 1 + h % 2000 else 2001 + h % 200000 end as member,
      case when n > ${total} - 40 * ${every} and (n % 10 = 0 or n % ${every} = 0) then 2
        when n % 20011 < 2 or n % (${every} * 2003) = 0 then 5 when n % 50 < 2 then 4 else 3 end as status
    from (select n, now() - interval '360 days' + (interval '360 days' / ${total}) * n as at, case when n % ${every} = 0 then 2 else 3 end as organise,
        abs(hashint8(n)) as h from generate_series($1::bigint, $2::bigint) n) made
  ) placed`

const chunk = 500_000

export async function fillOrders(client: pg.Client, { small, large }: Sizes): Promise<void> {
  await addMonths(client)
  await addWorld(client)
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'charging_order'::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  const total = small + large
  // What the rows point to is there; looking it up ten million times would take longer than all the rest.
  await client.query('set session_replication_role = replica')
  for (let from = 1; from <= total; from += chunk)
    await client.query(orders(total, Math.round(total / small)), [from, Math.min(total, from + chunk - 1)])
  await client.query('set session_replication_role = default')
  await client.query("set maintenance_work_mem = '1GB'")
  // A partitioned index is told to be of the table alone; made again, it is to be of its partitions, too.
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '))
  await client.query(`insert into open_charge (device_id, port_no, order_id, organise_id, agent_id, site_id, wire_no, end_by, reported_at, energy_dwh, duration_s, power_dw)
    select distinct on (device_id) device_id, 1, id, organise_id, agent_id, site_id, wire_no, now() + interval '9 hours', now(), 5000, 3600, 5000
    from charging_order where status in (1, 2)`)
  // Each of the two has a page of open charges at devices that are gone.
  await client.query(`update device set online = false where id in (
    select device_id from (select device_id, row_number() over (partition by organise_id order by device_id) as place from open_charge) placed
    where place <= 20)`)
  await client.query('vacuum analyze')
}
