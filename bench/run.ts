/** `npm run bench -- list`: ratios of our paths to the bare engines, each measured side by side in one run. */
const benches: Record<string, () => Promise<void>> = {
  backlog: async () => (await import('./soak/backlog.ts')).benchBacklog(),
  chaos: async () => (await import('./soak/chaos.ts')).benchChaos(),
  commands: async () => (await import('./load/commands.ts')).benchCommands(),
  drills: async () => (await import('./soak/drills.ts')).benchDrills(),
  evening: async () => (await import('./soak/evening.ts')).benchEvening(),
  fleet: async () => (await import('./fixtures/fleet.ts')).benchFleet(),
  flood: async () => (await import('./load/flood.ts')).benchFlood(),
  latency: async () => (await import('./fixtures/latency.ts')).benchLatency(),
  ingest: async () => (await import('./load/ingest.ts')).benchIngest(),
  frames: async () => (await import('./fixtures/fuzz-frames.ts')).benchFrames(),
  money: async () => (await import('./soak/money.ts')).benchMoney(),
  posting: async () => (await import('./load/posting.ts')).benchPosting(),
  live: async () => (await import('./load/live.ts')).benchLive(),
  lab: async () => (await import('./fixtures/lab.ts')).benchLab(),
  list: async () => (await import('./load/list.ts')).benchList(),
  devices: async () => (await import('./fixtures/devices.ts')).benchDevices(),
  orders: async () => (await import('./load/orders.ts')).benchOrders(),
  screen: async () => (await import('./load/screen.ts')).benchScreen(),
  sites: async () => (await import('./fixtures/sites.ts')).benchSites(),
  statistics: async () => (await import('./load/statistics.ts')).benchStatistics(),
  year: async () => (await import('./soak/year.ts')).benchYear(),
}
// A stop signal also ends the child processes and engines: they end when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const name = process.argv[2] ?? ''
const bench = benches[name]
if (bench === undefined) {
  console.error(`usage: npm run bench -- ${Object.keys(benches).join(' | ')}`)
  process.exitCode = 1
} else await bench()
