import type pg from 'pg'

/**
 * Outages of demo devices over the last two months: hours offline, and ports at fault for half a day. Added once;
 * triggers of the database record later outages.
 */
export async function addDemoOutages(client: pg.Client): Promise<void> {
  await client.query(
    `insert into device_outage (organise_id, agent_id, site_id, device_id, device_type_id, cause, ports, began_at, ended_at)
     select organise_id, agent_id, site_id, id, device_type_id, cause, case cause when 1 then port_count else 1 end, began, began + make_interval(mins => minutes)
     from device cross join lateral (
       select n, case when (id + n) % 3 = 0 then 2 else 1 end as cause, (35 + (id * 37 + n * 53) % (case when (id + n) % 3 = 0 then 700 else 260 end))::int as minutes,
         date_trunc('hour', now()) - make_interval(days => (n * 7 + id % 6 + 1)::int, hours => ((id * 5 + n * 11) % 24)::int) as began
       from generate_series(0, 7) n) outage
     where device.id < 1000 and install_status = 1 and deleted_at is null and (id + n) % 4 = 0 and not exists (select from device_outage where ended_at is not null)`,
  )
}
