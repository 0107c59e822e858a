import { connect } from '@nats-io/transport-node'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../test/fixtures/devices.ts'
import { gatewayPublisher } from '../../../test/harness/gateway-voice.ts'
import { makePerson, makeFixture } from '../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../test/harness/process.ts'
import { makeCode } from '../../../test/fixtures/qr-rows.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool, inScope, commit } from '../../kit/db/db.ts'
import { scopeOf } from '../../kit/db/scope.ts'
import { noticeSwap, type RefusedStart } from './code-swap.store.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)

const connected = 5
const scope = scopeOf({ organiseId: '1', isPlatform: true, agentId: null, agentIds: [], siteId: null })
let sites = 0
/** Creates a site with three devices, the first with a code. */
async function setUp() {
  const { id: organiseId, subAgentId: agentId } = fixture.green
  const [site] = await api.sql<{ id: string }>(
    'insert into site (organise_id, agent_id, name) values ($1, $2, $3) returning id',
    [organiseId, agentId, `错贴站点${++sites}`],
  )
  const place = { organiseId, agentId, siteId: site?.id ?? '' }
  const make = () => makeDevice(api, { ...place, typeId: models.dny })
  const [own, second, third] = [await make(), await make(), await make()]
  const code = await makeCode(api, { ...place, deviceId: own })
  return { own, second, third, code }
}
const plug = (deviceId: string, minutesAgo: number, status = connected) =>
  api.sql(
    'update port set status = $2, status_since = now() - make_interval(secs => $3) where device_id = $1 and port_no = 2',
    [deviceId, status, minutesAgo * 60],
  )
async function notice(codeId: string, deviceId: string, refusal: RefusedStart['refusal'] = 'unplugged') {
  const pool = createPool(api.config.workerDatabaseUrl, 1)
  const start = { codeId, deviceId, refusal, atMs: Date.now() }
  const id = await inScope(pool, scope, 'record', async ({ db }) => commit(await noticeSwap(db, start)))
  await pool.end()
  return id
}

describe('a start by a code that its device refuses', () => {
  it('as unplugged, while one other device was just plugged in, makes a suspicion about that device', async () => {
    const { own, second, code } = await setUp()
    await plug(second, 2)
    const id = await notice(code.id, own)
    expect(await notice(code.id, own)).toBe(id)
    expect(await api.sql('select * from qr_suspicion where code_id = $1', [code.id])).toMatchObject([
      { id, expected_device_id: own, likely_device_id: second, likely_port_no: 2, times: 2, state: 0 },
    ])
  })

  it('for another reason makes no suspicion', async () => {
    const { own, second, code } = await setUp()
    await plug(second, 2)
    expect(await notice(code.id, own, 'portFault')).toBeUndefined()
  })

  it('makes no suspicion without a recent plug-in elsewhere, with two of them, or if that port charges', async () => {
    const { own, second, third, code } = await setUp()
    expect(await notice(code.id, own)).toBeUndefined()
    await plug(second, 6)
    expect(await notice(code.id, own)).toBeUndefined()
    await plug(second, 1, 2)
    expect(await notice(code.id, own)).toBeUndefined()
    await plug(second, 1)
    await plug(third, 1)
    expect(await notice(code.id, own)).toBeUndefined()
  })

  it('makes no suspicion about devices of another site', async () => {
    const [here, there] = [await setUp(), await setUp()]
    await plug(there.second, 1)
    expect(await notice(here.code.id, here.own)).toBeUndefined()
  })
})

describe('the first start by a code that is stuck on another device', () => {
  it('is detected when the device of the code answers that its port is unplugged', async () => {
    const { own, second, code } = await setUp()
    await plug(second, 1)
    await api.sql('update device set online = true where id = $1', [own])
    const menus = ['4', '4.1', '4.1.1', '4.1.8']
    const { token } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_start', menus })
    const body = { deviceId: own, portNo: 1, minutes: 1, codeId: code.id }
    const foreign = await setUp()
    expect(
      (await api.call(token, deviceCommand.startPort, { body: { ...body, codeId: foreign.code.id } })).status,
    ).toBe(404)
    const { data } = await api.call(token, deviceCommand.startPort, { body })
    // Simulates a gateway that accepted the command.
    await api.sql(
      "update device_command set status = 3, sent_at = now(), counter = 1, answer_by = now() + interval '45 s' where id = $1",
      [data.commandId],
    )
    const worker = await startWorkerProcess(api.config)
    const bus = await connect({ servers: api.config.natsUrl })
    const voice = gatewayPublisher(bus, api.config.prefix)
    const refusal = { name: 'unplugged', raw: 1 }
    const answer = { kind: 'commandResult', commandId: data.commandId, ok: false, carriedOut: false, refusal }
    await voice.publish([voice.item(own, answer)])
    const alarm = await until(async () => {
      const [row] = await api.sql('select device_id, kind, status from alarm where device_id = $1', [own])
      return row
    })
    expect(alarm).toMatchObject({ device_id: own, kind: 10, status: 1 })
    expect(await api.sql('select likely_device_id from qr_suspicion where code_id = $1', [code.id])).toEqual([
      { likely_device_id: second },
    ])
    const { data: command } = await api.call(token, deviceCommand.read, { params: { id: data.commandId } })
    expect(command).toMatchObject({ status: 5, reason: '端口未插充电器' })
    await bus.close()
    await worker.stop()
  })
})
