import { connectBus } from '@wattdeck/bus/bus.ts'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startDispatch } from '../../src/core/devices/dispatch.jobs.ts'
import { keepTariffs } from '../../src/core/tariffs/tariff-push.jobs.ts'
import { createPool } from '../../src/kit/db/db.ts'
import { startRelay } from '../../src/kit/events/relay.ts'
import { startApi } from '../harness/api.ts'
import { until } from '../harness/until.ts'

it('rounds that run every second keep their prepared plans', async () => {
  const { config } = await startApi()
  const log = pino({ level: 'silent' })
  const bus = await connectBus(config.natsUrl, config.natsAccess)
  // One connection, so that the test can read the prepared statements of all rounds.
  const pool = createPool(config.workerDatabaseUrl, 1)
  const stops = [
    startDispatch(pool, config.workerDatabaseUrl, bus, config.prefix, log),
    keepTariffs(pool, log),
    startRelay(pool, config.workerDatabaseUrl, { bus, isConnected: () => true }, config.prefix, log),
  ]
  type Plans = { statement: string; custom: number; generic: number }
  const plansOf = async (tables: string) => {
    const { rows } = await pool.query<Plans>(
      `select statement, custom_plans::int as custom, generic_plans::int as generic
       from pg_prepared_statements where statement ~ $1`,
      [`^(update|select|with).*(${tables})`],
    )
    return rows
  }
  try {
    const plans = await until(async () => {
      const rows = await plansOf('device_command|tariff_push|outbox')
      return rows.length >= 7 && rows.every(({ custom, generic }) => custom + generic > 2) ? rows : undefined
    })
    expect(plans.filter(({ custom }) => custom > 0)).toEqual([])
  } finally {
    for (const stop of stops) await stop()
    await pool.end()
    await bus.close()
  }
})
