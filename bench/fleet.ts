import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { realHabits } from '../apps/simulator/src/habits.ts'
import { noFaults } from '../apps/simulator/src/faults.ts'
import { startFleet } from '../apps/simulator/src/fleet.ts'
import { testConfig } from '../apps/server/test/config.ts'
import { freePort, startGatewayProcess, startWorkerProcess } from '../apps/server/test/process.ts'
import { makeBroker } from '../apps/gateway/test/mqtt-broker.ts'
import { asSuperuser, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../tools/database.ts'
import { registerFleet } from '../tools/fleet-data.ts'
import { dropStreams } from '../tools/streams.ts'

const database = 'wattdeck_bench_fleet'
const devices = Number(process.env['FLEET_DEVICES'] ?? '10000')
const minutes = Number(process.env['FLEET_MINUTES'] ?? '10')
const stormers = Number(process.env['FLEET_STORM'] ?? '2000')

const megabytes = (pid: number | undefined) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
/** All processes of the database server together; what they share is counted once. */
function databaseMegabytes(): number {
  let kilobytes = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') continue
      kilobytes += Number(/Pss:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
    } catch {
      // It has ended meanwhile.
    }
  }
  return Math.round(kilobytes / 1024)
}

/**
 * Ten thousand devices of both protocols on one machine, as often as real ones speak: all online, everything they say
 * stored, memory steady. Then a storm: some lose the line at once.
 */
export async function benchFleet(): Promise<void> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  await asSuperuser(database, (client) => client.query("insert into organise (id, name) values (2, '机构')"))
  const dny = Math.round(devices * 0.7)
  const identities = await registerFleet(database, { organiseId: '2', dny, mqtt: devices - dny, ports: 10 })
  const broker = await makeBroker(freePort)
  const certificates = broker.ca.issue(identities.slice(dny).map(({ deviceNo }) => deviceNo))
  const config = testConfig(database)
  const worker = await startWorkerProcess(config)
  const gateway = await startGatewayProcess(config, broker.ca.gatewayEnv(broker.gatewayPort))
  const fleet = startFleet({
    identities,
    // An evening: half of the ports in use.
    habits: { ...realHabits, chargeMs: 20 * 60_000, idleMs: 20 * 60_000 },
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    mqtt: { urls: [broker.deviceUrl], ca: broker.ca.platformCa, certificates, boot: 1 },
    connectsPerSecond: 300,
  })
  const count = (text: string) =>
    asSuperuser(database, async (client) => Number((await client.query<{ n: string }>(text)).rows[0]?.n))
  const online = () => count('select count(*) as n from device where online')
  const stored = () => count("select count(*) as n from device_message where kind not in ('connected', 'iccid')")
  const started = Date.now()
  while ((await online()) < devices && Date.now() - started < 180_000) await sleep(1000)
  console.log(`${await online()} of ${devices} online after ${Math.round((Date.now() - started) / 1000)} s`)

  const memory = []
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await sleep(60_000)
    const row = {
      minute,
      online: await online(),
      sent: fleet.tally.sent,
      stored: await stored(),
      unacked: fleet.unacked(),
      gatewayMb: megabytes(gateway.child.pid),
      workerMb: megabytes(worker.child.pid),
      databaseMb: databaseMegabytes(),
    }
    memory.push(row)
    console.log(JSON.stringify(row))
  }
  fleet.rest()
  while (fleet.unacked() > 0) await sleep(500)
  await sleep(3000)
  console.log(
    `sent ${fleet.tally.sent}, stored ${await stored()}; records made ${fleet.tally.records.size}, acknowledged ${fleet.tally.acked.size}`,
  )

  const struck = Date.now()
  for (const device of fleet.devices.slice(0, stormers)) device.cut()
  await sleep(1000)
  while (fleet.connected() < devices && Date.now() - struck < 120_000) await sleep(100)
  console.log(
    `storm of ${stormers}: ${fleet.connected()} of ${devices} connected again after ${((Date.now() - struck) / 1000).toFixed(1)} s`,
  )
  while ((await online()) < devices && Date.now() - struck < 120_000) await sleep(200)
  console.log(`shown online again after ${((Date.now() - struck) / 1000).toFixed(1)} s`)
  fleet.stop()
  await gateway.stop()
  await worker.stop()
  await broker.remove()
  await dropDatabase(database)
  await dropStreams(database)
  process.exit(0)
}
