/** `npm run bench -- list`: ratios of our paths to the bare engines, each measured side by side in one run. */
const benches: Record<string, () => Promise<void>> = {
  backlog: async () => (await import('./backlog.ts')).benchBacklog(),
  chaos: async () => (await import('./chaos.ts')).benchChaos(),
  commands: async () => (await import('./commands.ts')).benchCommands(),
  drills: async () => (await import('./drills.ts')).benchDrills(),
  evening: async () => (await import('./evening.ts')).benchEvening(),
  fleet: async () => (await import('./fleet.ts')).benchFleet(),
  flood: async () => (await import('./flood.ts')).benchFlood(),
  latency: async () => (await import('./latency.ts')).benchLatency(),
  ingest: async () => (await import('./ingest.ts')).benchIngest(),
  frames: async () => (await import('./fuzz-frames.ts')).benchFrames(),
  money: async () => (await import('./money.ts')).benchMoney(),
  posting: async () => (await import('./posting.ts')).benchPosting(),
  live: async () => (await import('./live.ts')).benchLive(),
  lab: async () => (await import('./lab.ts')).benchLab(),
  list: async () => (await import('./list.ts')).benchList(),
  devices: async () => (await import('./devices.ts')).benchDevices(),
  orders: async () => (await import('./orders.ts')).benchOrders(),
  screen: async () => (await import('./screen.ts')).benchScreen(),
  sites: async () => (await import('./sites.ts')).benchSites(),
  statistics: async () => (await import('./statistics.ts')).benchStatistics(),
  year: async () => (await import('./year.ts')).benchYear(),
}
// Who is told to stop takes the processes and engines it has started along: they end as this one exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const name = process.argv[2] ?? ''
const bench = benches[name]
if (bench === undefined) {
  console.error(`usage: npm run bench -- ${Object.keys(benches).join(' | ')}`)
  process.exitCode = 1
} else await bench()
