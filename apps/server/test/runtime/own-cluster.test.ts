import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startApi } from '../harness/api.ts'
import { buildApi } from '../../src/app/api.ts'
import { startWorker } from '../../src/app/worker.ts'

it('no process starts on a ledger restored from a dump of another cluster', async () => {
  const api = await startApi()
  await api.sql('update ledger_edge set upto = ((pg_current_xact_id()::text)::bigint + 25000)::text::xid8 where id = 1')
  const words = /another PostgreSQL cluster.*Restore a base backup/
  await expect(buildApi(api.config)).rejects.toThrow(words)
  await expect(startWorker(api.config, pino({ level: 'silent' }))).rejects.toThrow(words)
})
