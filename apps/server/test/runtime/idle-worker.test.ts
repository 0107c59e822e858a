import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startWorker } from '../../src/app/worker.ts'
import { startApi } from '../harness/api.ts'
import { until } from '../harness/until.ts'

const over = 4000
/** Completed rows of tables that grow by millions a day, and devices whose tariffs are up to date. */
const fills: Record<string, string> = {
  device_command: `(organise_id, device_id, kind, content, when_offline, expires_at, issued_by, status, ended_at)
    select 1, n, 'reboot', '{}', 1, now(), 'test', 5, now()`,
  pay_notice: `(provider, merchant_id, notice_id, organise_id, kind, content, pay_no, status, done_at)
    select 1, 1, n, 1, 1, '{}', n, 2, now()`,
  pay_order: `(organise_id, merchant_id, provider, way, purpose, amount_fen, profit_sharing, expires_at, ref_id, status, paid_at, transaction_id)
    select 1, 1, 1, 1, 1, 100, false, now(), n, 2, now(), n`,
  pay_refund: `(organise_id, pay_order_id, merchant_id, amount_fen, purpose, ref_id, reason, status, arrived_at)
    select 1, n, 1, 100, 1, n, 'test', 3, now()`,
  charging_order: `(organise_id, device_id, port_no, device_no, device_type_id, wire_no, start_mode, billing_type, limit_by, limit_value, status, settled_at)
    select 1, n, 1, 'test', 1, n, 1, 1, 1, 100, 4, now()`,
  alarm: `(organise_id, device_id, device_no, kind, severity, first_at, last_at, status, closed_at, close_reason)
    select 1, n, 'test', 1, 1, now(), now(), 3, now(), 'test'`,
  incident: `(organise_id, kind, dimension, value, label, devices, fleet, started_at, status, ended_at)
    select 1, 1, 1, n, 'test', 1, 1, now(), 2, now()`,
  message_replay: `(organise_id, device_id, target_device_id, target_organise_id, first_id, end_id, speed, total, created_by, status)
    select 1, n, 0, 1, 1, 2, 1, 1, 'test', 2`,
  tariff: `(organise_id, name, billing_type, versions, version_id) select 1, n, 0, 1, n`,
  device: `(organise_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports, tariff_id)
    select 1, 100000 + n, 'test', 1, 1, 1, 'ykc', 100000 + n, 2, 2, n`,
  tariff_push: `(device_id, organise_id, version_id, model_no, state) select n, 1, n, 1, 3`,
  outbox: `(organise_id, subject, payload, published_at) select 1, 'test', '{}', now()`,
}

it('an idle worker reads only pending rows, also with cached plans', async () => {
  const api = await startApi()
  await api.sql(`set session_replication_role = replica;
    ${Object.entries(fills)
      .map(([table, values]) => `insert into ${table} ${values} from generate_series(1, ${over}) n;`)
      .join('\n')}
    set session_replication_role = origin; analyze;
    alter database ${api.database} set plan_cache_mode = force_generic_plan`)
  const worker = await startWorker(api.config, pino({ level: 'silent' }))
  try {
    type Reads = { name: string; looks: number; rows: number }
    const reads = async () => {
      const rows = await api.sql<Reads>(`
        select regexp_replace(relname, '_[0-9]+$', '') as name, sum(seq_scan + coalesce(idx_scan, 0))::int as looks,
          sum(seq_tup_read + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes own where own.relid = stats.relid), 0))::int as rows
        from pg_stat_user_tables stats group by 1`)
      return new Map(rows.map((row) => [row.name, row]))
    }
    const readsAfter = (looks: number) =>
      until(async () => {
        const read = await reads()
        return (read.get('device_command')?.looks ?? 0) > looks ? read : undefined
      })
    // Reads at the start do not count.
    await readsAfter(4)
    await api.sql('select pg_stat_reset()')
    const read = await readsAfter(10)
    const tooMuch = Object.keys(fills).filter((table) => (read.get(table)?.rows ?? 0) >= over)
    expect(tooMuch).toEqual([])
  } finally {
    await worker.stop()
  }
})
