import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('lists each unreachable engine with its remedy, and fails', () => {
  const nowhere = '127.0.0.1:1'
  const env = { ...process.env, POSTGRES: nowhere, REDIS_URL: `redis://${nowhere}`, NATS_URL: nowhere, CHROMIUM: '/no' }
  const { status, stdout } = spawnSync(process.execPath, ['tools/dev/doctor.ts'], { env, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stdout).toContain('ok       Node 24')
  for (const what of ['PostgreSQL 15 or newer', 'Redis 6 or newer', 'NATS 2.9 or newer with JetStream', 'Chromium'])
    expect(stdout).toMatch(new RegExp(`missing  ${what}: .+\\n {9}apt install `))
})
