import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { screenLink } from '@wattdeck/contract/dashboard/screen-link.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { callerOf } from '../../apps/server/test/harness/client.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import { startGatewayProcess } from '../../apps/server/test/harness/process.ts'
import { noFaults, randomOf } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { realHabits } from '../../apps/simulator/src/habits.ts'
import { Members } from '../../apps/simulator/src/members.ts'
import { startInstallation } from '../../e2e/installation.ts'
import { demoPassword } from '../../tools/demo/demo-people.ts'
import { registerFleet } from '../../tools/demo/fleet-data.ts'
import { ensureTariff, makePayers } from '../../tools/demo/load-clients.ts'
import { type BarePage, openBarePage, privateMb } from '../fixtures/bare-page.ts'

const database = `${process.env['TEST_RUN'] ?? 'wattdeck'}_bench_screen`
const minutes = Number(process.env['SCREEN_MINUTES'] ?? '30')
/** Time for loading, compiling and caching; memory in use after it should stay constant. */
const warmMs = Math.min(60_000, minutes * 15_000)
const devices = 20
const ordersPerSecond = 1
const chargeMs = 8000

/**
 * Memory of a page after garbage collection, in MB. The browser keeps compiling hot functions, so compiled code is
 * counted apart from the data of the page; the process includes both.
 */
type PageMemory = { dataMb: number; codeMb: number; processMb: number; nodes: number; listeners: number }
/** A time of the page's clock, in ms. */
type Window = { from: number; upto: number }

/**
 * A wallboard that stays open during charges: the memory of the browser after the start and at the end, and the longest
 * task that blocked rendering. Regions rotate every 15 seconds.
 */
export async function benchScreen(): Promise<void> {
  const installation = await startInstallation(database)
  const config = testConfig(database)
  const identities = await registerFleet(database, { organiseId: '2', siteId: '1', dny: devices, mqtt: 0, ports: 10 })
  await ensureTariff(database, '2', '1')
  const payers = await makePayers(database, {
    organiseId: '2',
    secretKeys: config.secretKeys,
    members: 200,
    fen: 500_000n,
  })
  const gateway = await startGatewayProcess(config)
  const fleet = startFleet({
    identities,
    habits: { ...realHabits, heartbeatMs: 5000, reportMs: 1500, idleMs: 0, chargeMs, peakW: [6400, 6401] },
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 100,
  })
  while (fleet.connected() < devices) await sleep(200)
  const members = new Members({
    client: new OpenClient({ url: installation.url, ...payers.app }),
    memberIds: payers.memberIds,
    devices: fleet.devices,
    random: randomOf(2),
    perSecond: () => ordersPerSecond,
    chargeMs,
    watchMs: 2000,
    patienceMs: 120_000,
  })
  const charging = members.live()

  const page = await openBarePage({ width: 1920, height: 1080 })
  await page.first(`window.tasks = []
    window.faults = 0
    addEventListener('error', () => window.faults++)
    addEventListener('unhandledrejection', () => window.faults++)
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) window.tasks.push({ startTime, duration })
    }).observe({ type: 'longtask', buffered: true })`)
  await page.go(`${installation.url}/dataScreen?rotate=15#${await linkToken(installation.url)}`)
  await page.waitFor('.wallboard-map canvas')
  const watch = await watcherOf(page)
  await sleep(warmMs)
  // The first inspection leaves allocations in the process; both compared inspections include them.
  await watch.look()
  const first = await watch.look()
  const until = Date.now() + minutes * 60_000 - warmMs
  while (Date.now() < until) {
    await sleep(Math.min(60_000, until - Date.now()))
    console.log(`${members.tally.billed} orders   ${await watch.heap()}`)
  }
  const last = await watch.look()
  const { long, busy, undisturbed } = await watch.longTasks()
  const shown = await page.evaluate<number>(`document.querySelectorAll('.wallboard-board li').length`)
  const faults = await page.evaluate<number>('window.faults')
  const grown = (of: 'dataMb' | 'codeMb' | 'processMb') => `${((last[of] / first[of] - 1) * 100).toFixed(1)} %`
  console.log(
    `${minutes} minutes, ${members.tally.billed} orders billed, ${shown} on the board: first ${memoryText(first)}, last ${memoryText(last)}: data ${grown('dataMb')} (goal < 10 %), code ${grown('codeMb')}, process ${grown('processMb')}; tasks with over 200 ms of a processor ${undisturbed.length} (goal 0), the longest ${longest(undisturbed)} ms, and ${busy.length - undisturbed.length} while the machine was taken away; over 200 ms by the clock ${long.length}, the longest ${longest(long)} ms; page errors ${faults}`,
  )
  watch.end()
  members.stop()
  await charging
  fleet.stop()
  await page.close()
  await gateway.stop()
  await installation.stop()
  process.exit(0)
}

const longest = (ms: readonly number[]) => Math.round(Math.max(0, ...ms))
const memoryText = ({ dataMb, codeMb, processMb, nodes, listeners }: PageMemory) =>
  `${dataMb.toFixed(1)} MB data, ${codeMb.toFixed(1)} MB code, ${processMb.toFixed(0)} MB process, ${nodes} nodes, ${listeners} listeners`

type Metrics = { metrics: { name: string; value: number }[] }

/** Inspects a page from outside. Tasks during an inspection are not attributed to the page. */
async function watcherOf(page: BarePage) {
  const { tools } = page
  await tools.send('Performance.enable')
  const processId = await page.processId()
  const processor = processorOf(processId)
  const originMs = await page.evaluate<number>('performance.timeOrigin')
  const startedAt = await page.evaluate<number>('performance.now()')
  const looked: Window[] = [{ from: 0, upto: startedAt + warmMs }]
  const metric = async (name: string) =>
    (await tools.send<Metrics>('Performance.getMetrics')).metrics.find((one) => one.name === name)?.value ?? 0
  const whileLooking = async <T>(work: () => Promise<T>): Promise<T> => {
    const from = await page.evaluate<number>('performance.now()')
    // Twice: objects freed in the first round may reference others.
    for (let round = 0; round < 2; round++) await tools.send('HeapProfiler.collectGarbage')
    const found = await work()
    looked.push({ from, upto: (await page.evaluate<number>('performance.now()')) + 500 })
    return found
  }
  return {
    heap: () =>
      whileLooking(
        async () =>
          `${((await metric('JSHeapUsedSize')) / 1e6).toFixed(1)} MB heap   ${privateMb(processId).toFixed(0)} MB process`,
      ),
    look: () =>
      whileLooking(async (): Promise<PageMemory> => {
        const processMb = privateMb(processId)
        const [nodes, listeners] = [await metric('Nodes'), await metric('JSEventListeners')]
        return { processMb, nodes, listeners, ...(await heapOf(page)) }
      }),
    end: processor.end,
    /**
     * Durations of the tasks longer than 200 ms: by the clock, by processor time, and by processor time of those
     * without stolen time. A stolen moment counts as used by the page.
     */
    longTasks: async () => {
      const tasks = await page.evaluate<{ startTime: number; duration: number }[]>('window.tasks')
      const own = tasks.filter(
        ({ startTime, duration }) =>
          duration > 200 && !looked.some(({ from, upto }) => startTime >= from && startTime <= upto),
      )
      const busy = own
        .map(({ startTime, duration }) => processor.during(originMs + startTime, originMs + startTime + duration))
        .filter(({ ranMs }) => ranMs > 200)
      const undisturbed = busy.filter(({ stolenMs }) => stolenMs === 0)
      return {
        long: own.map(({ duration }) => duration),
        busy: busy.map(({ ranMs }) => ranMs),
        undisturbed: undisturbed.map(({ ranMs }) => ranMs),
      }
    },
  }
}

/**
 * Processor time of the page's main thread between two times of the clock, in ms, rounded up; and the processor time
 * stolen by other guests of the host.
 */
function processorOf(id: number) {
  const seen: { at: number; ranMs: number; stolenMs: number }[] = []
  const see = () => {
    const [ran = ''] = readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ')
    const stolenTicks = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9).at(8)
    seen.push({ at: Date.now(), ranMs: Number(ran) / 1e6, stolenMs: Number(stolenTicks) * 10 })
  }
  const seeing = setInterval(see, 20)
  return {
    during: (from: number, upto: number) => {
      const before = seen.findLast(({ at }) => at <= from)
      const after = seen.find(({ at }) => at >= upto)
      return {
        ranMs: (after?.ranMs ?? Infinity) - (before?.ranMs ?? 0),
        stolenMs: (after?.stolenMs ?? 0) - (before?.stolenMs ?? 0),
      }
    },
    end: () => clearInterval(seeing),
  }
}

/** The heap by kind of object. */
async function heapOf({ tools }: BarePage): Promise<{ dataMb: number; codeMb: number }> {
  const chunks: string[] = []
  tools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }: { chunk: string }) => chunks.push(chunk))
  await tools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as {
    snapshot: { meta: { node_fields: string[]; node_types: [string[]] } }
    nodes: number[]
  }
  const {
    node_fields: fields,
    node_types: [types],
  } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const sums = new Map<string, number>()
  for (let at = 0; at < nodes.length; at += fields.length) {
    const name = types[nodes[at + type] ?? 0] ?? ''
    sums.set(name, (sums.get(name) ?? 0) + (nodes[at + size] ?? 0))
  }
  const of = (name: string) => sums.get(name) ?? 0
  // Native memory of the browser for the page counts in its process.
  const all = [...sums.values()].reduce((sum, bytes) => sum + bytes, 0)
  return { dataMb: (all - of('code') - of('native')) / 1e6, codeMb: of('code') / 1e6 }
}

async function linkToken(url: string): Promise<string> {
  const call = callerOf(url)
  const { data } = await call(undefined, login.byPassword, { body: { loginName: 'green', password: demoPassword } })
  const link = await call(data.access_token, screenLink.add, { body: { name: '运营数据大屏', days: '7' } as never })
  return link.data.token
}
