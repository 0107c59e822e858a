import type pg from 'pg'
import { Gauge } from 'prom-client'

const pools = new Map<string, pg.Pool>()
const connections = new Gauge({
  name: 'db_connections',
  help: 'Connections of a pool by state, and requests that wait for one',
  labelNames: ['pool', 'state'],
  collect: () => {
    for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
      connections.set({ pool, state: 'busy' }, totalCount - idleCount)
      connections.set({ pool, state: 'idle' }, idleCount)
      connections.set({ pool, state: 'waiting' }, waitingCount)
    }
  },
})

export function measurePool(name: string, pool: pg.Pool): void {
  pools.set(name, pool)
}
