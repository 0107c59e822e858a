import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceEvent, PortReportEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

type Item = Pick<UpItem, 'id' | 'd' | 'o' | 'e' | 'r'>
type Report = { item: Item; event: PortReportEvent; atMs: number }

/** Events that change an order. They are queued, because each is applied in its own transaction. */
const moving: ReadonlySet<string> = new Set(['settlement', 'started', 'offlineStart', 'strayStop'])
const epochMs = 1_735_689_600_000n
const receivedMs = (id: string): number => Number((BigInt(id) >> 22n) + epochMs)

/**
 * Enqueues starts, bills and stray stops in the transaction that stores their messages, each once. `isNew` filters
 * messages that a device or the stream repeats.
 */
export async function queueChargeEvents(db: Db, items: readonly Item[], isNew: (item: Item) => boolean): Promise<void> {
  const events = items.filter((item) => moving.has(item.e.kind) && isNew(item))
  if (events.length === 0) return
  await sql`insert into charge_news (id, device_id, kind, content, at, ord)
    select id, device_id, kind, content::jsonb, app.message_time(id), ord
    from unnest(
      ${events.map(({ id }) => id)}::bigint[],
      ${events.map(({ d }) => d)}::bigint[],
      ${events.map(({ e }) => e.kind)}::text[],
      ${events.map(({ e }) => JSON.stringify(e))}::text[],
      ${events.map(({ o }) => o)}::bigint[]
    ) as u (id, device_id, kind, content, ord)
    order by id
    on conflict (id) do nothing`.execute(db)
}

/** Writes port reports to the power curve and to the state of the open charge. */
export const writeReports = (db: Db, items: readonly Item[]): Promise<void> =>
  keepReports(db, items.flatMap(workingReport))

const workingReport = (item: Item): Report[] => {
  const event = item.e as DeviceEvent
  const isWorking = event.kind === 'portReport' && event.status.name === 'working'
  return isWorking ? [{ item, event, atMs: receivedMs(item.id) }] : []
}

/**
 * Compares each report with all earlier ones, also within one batch, so that a falling meter is always detected.
 * Gateways and workers may reorder reports of a charge. A late report with more energy than a later one also proves a
 * fall. Rows are written in key order to avoid deadlocks. A report of a different order than the port's is queued as
 * 'stray', which stops the charge.
 */
async function keepReports(db: Db, reports: readonly Report[]): Promise<void> {
  if (reports.length === 0) return
  const reportJson = JSON.stringify(
    reports.map(({ item, event, atMs }) => ({
      id: item.id,
      d: item.d,
      port: event.port,
      o: item.o,
      at: atMs / 1000,
      wire: event.orderNo ?? null,
      energy: event.energyWh * 10,
      seconds: event.durationS,
      power: event.powerDw ?? null,
      peak: Math.max(event.peakPowerDw ?? 0, event.maxPowerDw ?? 0, event.powerDw ?? 0) || null,
    })),
  )
  await sql`with said as materialized (
      select id, d, port, o, to_timestamp(at) as at, wire, energy, seconds, power, peak
      from json_to_recordset(${reportJson}::json) as u (id bigint, d bigint, port smallint, o bigint, at float8, wire text, energy int, seconds int, power int, peak int)
    ), meant as materialized (
      select said.*, open.order_id, open.organise_id, open.agent_id, open.site_id, open.energy_dwh as known, said.o < open.ord as late
      from said join open_charge open on open.device_id = said.d and open.port_no = said.port
      where case when said.o > open.ord then said.wire is null or said.wire = open.wire_no else said.o < open.ord and said.wire = open.wire_no end
      order by said.d, said.port for update of open
    ), newest as (
      select distinct on (order_id) * from meant order by order_id, o desc
    ), compared as (
      select order_id, energy, peak, case
          when late then energy > known + 20
          else energy + 20 < greatest(known, max(energy) over (partition by order_id order by o rows between unbounded preceding and 1 preceding))
        end as fell
      from meant
    ), whole as (
      select order_id, max(energy) as energy, max(peak) as peak, bool_or(fell) as fell from compared group by order_id
    ), moved as (
      update open_charge open set energy_dwh = greatest(open.energy_dwh, whole.energy), peak_power_dw = greatest(open.peak_power_dw, whole.peak),
        reported_at = case when newest.late then open.reported_at else newest.at end,
        duration_s = case when newest.late then open.duration_s else newest.seconds end,
        power_dw = case when newest.late then open.power_dw else newest.power end,
        ord = greatest(open.ord, newest.o),
        doubts = case when whole.fell and not 'backwards' = any (open.doubts) then open.doubts || 'backwards'::text else open.doubts end
      from newest join whole on whole.order_id = newest.order_id where open.order_id = newest.order_id
    ), stray as (
      insert into charge_news (id, device_id, kind, content, at, ord)
      select distinct on (said.d, said.wire) said.id, said.d, 'stray', jsonb_build_object('port', said.port, 'orderNo', said.wire), said.at, said.o
      from said where said.wire is not null
        and not exists (select from open_charge open where open.device_id = said.d and open.port_no = said.port and open.wire_no = said.wire)
      order by said.d, said.wire, said.o desc on conflict (id) do nothing
    )
    insert into charge_sample (order_id, at, organise_id, agent_id, site_id, energy_dwh, power_dw)
    select order_id, at, organise_id, agent_id, site_id, energy, power from meant on conflict do nothing`.execute(db)
}
