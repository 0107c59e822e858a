import { createServer } from 'node:http'
import { session } from '@wattdeck/contract/auth/session.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'
import { freePort, startApiProcess } from '../harness/process.ts'

let api: TestApi
let fixture: Fixture
const received: { path: string; body: string }[] = []
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    received.push({ path: request.url ?? '', body: Buffer.concat(parts).toString('latin1') })
    response.end()
  })
})
let endpoint = ''

beforeAll(async () => {
  const port = await freePort()
  receiver.listen(port, '127.0.0.1')
  endpoint = `http://127.0.0.1:${port}`
  api = await startApi()
  fixture = await makeFixture(api)
})
afterAll(() => receiver.close())

it('traces reach the receiver that the environment names, and a missing receiver affects no request', async () => {
  const traced = await startApiProcess(api.config, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  })
  expect((await callerOf(traced.url)(fixture.green.admin.token, session.userInfo)).status).toBe(200)
  await expect
    .poll(() =>
      received.some(
        ({ path, body }) => path === '/v1/traces' && body.includes('wattdeck-api') && body.includes('userInfo'),
      ),
    )
    .toBe(true)
  await traced.stop()

  const untraced = await startApiProcess(api.config, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    // The time that the exporter tries before it stops; the default is ten seconds.
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  })
  expect((await callerOf(untraced.url)(fixture.green.admin.token, session.userInfo)).status).toBe(200)
  await untraced.stop()
  expect(untraced.child.exitCode).toBe(0)
})
