import { setTimeout as sleep } from 'node:timers/promises'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import autocannon from 'autocannon'
import { callerOf } from '../../apps/server/test/harness/client.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import { startApiProcess } from '../../apps/server/test/harness/process.ts'
import { asSuperuser, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../../tools/ops/database.ts'
import { tenantsWithAdmin } from '../fixtures/tenants.ts'

const database = 'wattdeck_flood'
const seconds = Number(process.env['FLOOD_SECONDS'] ?? '6')
const connections = 50

/**
 * The latency of a console user while 50 connections of one address flood a public route, against the latency before
 * and after it in the same run. Goal: at most twice as long at p99.
 */
export async function benchFlood(): Promise<void> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  const [token] = await asSuperuser(database, tenantsWithAdmin)
  const api = await startApiProcess(testConfig(database), { PUBLIC_PER_MINUTE: '120' })
  const call = callerOf(api.url)
  const waits = async () => {
    const times: number[] = []
    const untilMs = performance.now() + seconds * 1000
    while (performance.now() < untilMs) {
      const startMs = performance.now()
      const { status } = await call(token, deviceManage.list, { query: { pageNum: 1, pageSize: 20 } })
      if (status !== 200) throw new Error(`refused: ${status}`)
      times.push(performance.now() - startMs)
      await sleep(5)
    }
    return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN
  }
  await waits()
  for (const { feature, name, route } of allRoutes.filter(({ route: { access } }) => access === 'public')) {
    const before = await waits()
    const flood = autocannon({
      url: `${api.url}${route.path.replaceAll(/\{\w+\}/g, '1')}`,
      method: route.method,
      connections,
      duration: seconds + 2,
    })
    await sleep(1000)
    const during = await waits()
    const { requests } = await flood
    const ratio = during / Math.max(before, await waits())
    console.log(
      `${feature}.${name}: ${requests.average} calls/s, p99 ${before.toFixed(1)} -> ${during.toFixed(1)} ms, ratio ${ratio.toFixed(2)}`,
    )
  }
  await api.stop()
  await dropDatabase(database)
  process.exit(0)
}
