import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type pg from 'pg'
import { partitionedTables } from '../../apps/server/src/kit/jobs/partitions.jobs.ts'
import type { Charge } from './year-devices.ts'

/** Priced by the hour and over midnight, so that a bill is right only with a right clock. Valid for up to 14 hours. */
export const rules: TariffRules = {
  billingType: 0,
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 840,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
  segments: [
    { fromMin: 0, toMin: 420, period: 'valley', electricityE5: 31_000, serviceE5: 40_000 },
    { fromMin: 420, toMin: 1080, period: 'flat', electricityE5: 62_000, serviceE5: 40_000 },
    { fromMin: 1080, toMin: 1440, period: 'peak', electricityE5: 104_000, serviceE5: 40_000 },
  ],
}

/** Between the start command and the confirmation of the device. */
const startSlackMs = 60_000

/** Orders whose bill differs from the tariff rules. */
export async function wrongOrders(sql: pg.Client, charges: ReadonlyMap<string, Charge>): Promise<string[]> {
  type Row = { wire: string; status: number; why: string; started: number; total: string; samples: object }
  const { rows } = await sql.query<Row>(
    `select wire_no as wire, status, array_to_string(review_reasons, ',') as why, (extract(epoch from started_at) * 1000)::float8 as started, total_fen as total,
       (select coalesce(json_agg(json_build_object('atMs', round(extract(epoch from at) * 1000), 'energyDwh', energy_dwh) order by at), '[]')
        from charge_sample where order_id = o.id) as samples
     from charging_order o`,
  )
  const wrong = rows.flatMap(({ wire, status, why, started, total, samples }) => {
    const charge = charges.get(wire)
    if (charge === undefined) return [`${wire} nobody asked for it`]
    if (status !== orderStatus.code.billed) return [`${wire} has status ${status} ${why}`]
    const startMs = Math.round(started)
    if (Math.abs(startMs - charge.startMs) > startSlackMs) return [`${wire} began at another time`]
    const { durationS, energyWh } = charge
    const usage = {
      startMs,
      endMs: startMs + durationS * 1000,
      durationS,
      energyDwh: energyWh * 10,
      samples: samples as [],
    }
    const due = price(rules, usage).totalFen
    return due === BigInt(total) ? [] : [`${wire} costs ${total}, due ${due}`]
  })
  return rows.length === charges.size ? wrong : [...wrong, `${charges.size} charges, ${rows.length} orders`]
}

/** The fewest days of partitions of any table, at the time of the database. */
export async function daysLeft(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ days: number }>(
    'select min(app.partition_days_left(name))::int as days from unnest($1::text[]) name',
    [partitionedTables],
  )
  return rows[0]?.days ?? 0
}

/** Jobs that ended since the previous count, and those that failed once or finally. */
export async function jobsSince(sql: pg.Client, sinceMs: number) {
  const { rows } = await sql.query<{ name: string; ended: number; failed: number }>(
    `select name, count(*) filter (where state = 'completed')::int as ended,
       count(*) filter (where state = 'failed' or retry_count > 0)::int as failed
     from pgboss.job where completed_on > to_timestamp($1) or state in ('failed', 'retry') group by name`,
    [sinceMs / 1000],
  )
  return rows
}

/** All consistency checks, as the tools run them. */
export async function breaksOf(sql: pg.Client): Promise<string[]> {
  await sql.query("set statement_timeout = 0; set app.scope_level = '0'; set app.organise_id = '0'")
  const { rows } = await sql.query<{ found: string }>(
    `select 'ledger ' || what || ' ' || ref as found from app.ledger_breaks()
     union all select 'order ' || what || ' ' || ref from app.order_breaks()
     union all select 'audit ' || what || ' ' || seq from app.audit_breaks()
     union all select 'statistics ' || what || ' ' || place from app.stat_breaks('2020-01-01', '2100-01-01')
     union all select 'analysis ' || what || ' ' || place from app.analysis_breaks('2020-01-01', '2100-01-01')`,
  )
  return rows.map(({ found }) => found)
}

/**
 * Rows in default partitions. Only records of devices with a wrong clock may be there, in months without a partition.
 */
export async function strayRows(sql: pg.Client): Promise<string[]> {
  const { rows: others } = await sql.query<{ parent: string; child: string }>(
    `select inhparent::regclass::text as parent, inhrelid::regclass::text as child from pg_inherits
     join pg_class on pg_class.oid = inhrelid where pg_get_expr(relpartbound, inhrelid) = 'DEFAULT' and inhparent::regclass::text not like 'pgboss.%'`,
  )
  const found: string[] = []
  for (const { parent, child } of others) {
    const isRecord = parent === 'device_record'
    const { rows } = await sql.query<{ n: number }>(
      isRecord
        ? `select count(*)::int as n from ${child} where exists (
             select from app.partition_bounds($1::regclass) where recorded_at >= lower_at and recorded_at < upper_at)`
        : `select count(*)::int as n from ${child} where $1::text is not null`,
      [parent],
    )
    if ((rows[0]?.n ?? 0) > 0) found.push(`${rows[0]?.n} rows in ${child}`)
  }
  return found
}
