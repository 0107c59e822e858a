import type { AlarmKindCode } from '@wattdeck/contract/product/alarm-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** A signal that a device is sick or healthy again. `key` deduplicates repeated signals. */
export type AlarmSignal = {
  deviceId: string
  /** Absent for the whole device. */
  portNo?: number | null
  kind: AlarmKindCode
  sick: boolean
  atMs: number
  key?: string
  detail?: Readonly<Record<string, unknown>>
}

/**
 * The only way to raise an alarm: it stores the signals in the caller's transaction (outbox), and the worker judges them by
 * the organisation's rules within a second. The owner is read from the row of the device.
 */
export async function raise(db: Db, signals: readonly AlarmSignal[]): Promise<void> {
  if (signals.length === 0) return
  await sql`insert into alarm_signal (device_id, organise_id, agent_id, site_id, port_no, kind, sick, at, key, detail)
    select u.device_id, d.organise_id, d.agent_id, d.site_id, u.port_no, u.kind, u.sick, to_timestamp(u.at), u.key, u.detail::jsonb
    from unnest(${signals.map((one) => one.deviceId)}::bigint[], ${signals.map((one) => one.portNo ?? 0)}::smallint[],
      ${signals.map((one) => one.kind)}::smallint[], ${signals.map((one) => one.sick)}::boolean[],
      ${signals.map((one) => one.atMs / 1000)}::float8[], ${signals.map((one) => one.key ?? null)}::text[],
      ${signals.map((one) => JSON.stringify(one.detail ?? {}))}::text[])
      as u (device_id, port_no, kind, sick, at, key, detail)
    join device d on d.id = u.device_id and d.deleted_at is null
    on conflict (device_id, kind, port_no, key) where key is not null do nothing`.execute(db)
}
