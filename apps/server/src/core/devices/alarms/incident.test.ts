import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind, causeDimension, incidentStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { gatewayPublisher } from '../../../../test/harness/gateway-voice.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'

/** The worker groups devices that go offline together into one incident with its cause. */
let bus: NatsConnection
let voice: ReturnType<typeof gatewayPublisher>
const sessions = new Map<string, UpItem>()
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
const carriers = { mobile: '898600', unicom: '898601' }
const devices: { id: string; mobile: boolean; site: number }[] = []
const sites: string[] = []
const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  const { id: organiseId, agentId } = fixture.green
  const { dny } = await makeModels(api)
  for (let n = 0; n < 6; n++) {
    const [siteRow] = await api.sql<{ id: string }>(
      'insert into site (organise_id, agent_id, name) values ($1, $2, $3) returning id',
      [organiseId, agentId, `小区${n}`],
    )
    sites.push(siteRow?.id ?? '')
  }
  for (let n = 0; n < 120; n++) {
    const site = n % 6
    const mobile = n % 3 === 0
    const id = await makeDevice(api, { organiseId, agentId, siteId: sites[site] ?? null, typeId: dny })
    const iccid = `${mobile ? carriers.mobile : carriers.unicom}${String(n).padStart(14, '0')}`
    await api.sql('update device set iccid = $2, software_version = $3 where id = $1', [id, iccid, `1.${n % 4}`])
    devices.push({ id, mobile, site })
  }
  worker = await startWorkerProcess(api.config)
  bus = await connect({ servers: api.config.natsUrl })
  voice = gatewayPublisher(bus, api.config.prefix)
  for (const { id } of devices) sessions.set(id, voice.item(id, { kind: 'connected', address: '10.0.0.1:1' }))
  await voice.publish([...sessions.values()])
  await rows('select from device where online', devices.length)
})
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

const rows = (text: string, count: number) =>
  until(async () => ((await api.sql(text)).length === count ? true : undefined))

/** Disconnects the devices and moves the time by eleven minutes. */
async function goDark(ids: readonly string[]): Promise<void> {
  await voice.publish(
    ids.map((id) => voice.item(id, { kind: 'disconnected', session: sessions.get(id)?.id, reason: 'closed' })),
  )
  // Waits until all are judged and postponed: a round in progress would otherwise postpone them after the update below.
  await rows('select from alarm_signal where sick and due_at > now()', ids.length)
  await api.sql(
    "update device_state set online_until = now() - interval '11 minutes' where device_id = any($1::bigint[])",
    [ids],
  )
  await api.sql('update alarm_signal set due_at = now()')
  await rows('select from alarm', ids.length)
}
const incidents = async (token: string) => (await api.call(token, alarmCenter.incidents)).data.rows

describe('forty devices of one carrier beside three others', () => {
  it('make one incident with the carrier and its sites; the others stay separate, and it ends with its alarms', async () => {
    const dark = devices.filter(({ mobile }) => mobile).map(({ id }) => id)
    const others = devices.filter(({ mobile }) => !mobile).map(({ id }) => id)
    const strays = [others[0], others[31], others[62]].filter((id) => id !== undefined)
    await goDark([...dark, ...strays])
    // Simulates the pause that ends a burst.
    await api.sql("update alarm set created_at = now() - interval '20 seconds'")
    const { admin, agent, clerk } = fixture.green
    const [incident, ...more] = await until(async () => {
      const list = await incidents(admin.token)
      return list.length > 0 ? list : undefined
    })
    expect(more).toEqual([])
    expect(incident).toMatchObject({
      kind: alarmKind.code.offline,
      dimension: causeDimension.code.carrier,
      label: '中国移动',
      status: incidentStatus.code.open,
      devices: 40,
      fleet: 40,
      lostPerHour: null,
    })
    const id = incident?.id ?? ''
    const inside = await api.call(admin.token, alarmCenter.list, { query: { incidentId: id, pageSize: 100 } })
    expect(inside.data.rows.map((row) => row.deviceId).toSorted()).toEqual(dark.toSorted())
    const places = (await api.call(admin.token, alarmCenter.incidentSites, { params: { id } })).data
    expect(places.map(({ siteName, devices: count }) => [siteName, count])).toEqual([
      ['小区0', 20],
      ['小区3', 20],
    ])
    const notices = (userId: string) =>
      api.sql<{ body: string }>("select body from notification where user_id = $1 and title = '共因事件'", [userId])
    expect((await notices(admin.id)).map(({ body }) => body)).toEqual([
      '通信运营商「中国移动」下 40 台设备中有 40 台设备离线，可能是同一原因',
    ])
    // It counts devices of the whole organisation, so agents and sites cannot see it.
    expect(await notices(agent.id)).toEqual([])
    expect(await notices(clerk.id)).toEqual([])
    expect(await incidents(agent.token)).toEqual([])
    expect(await incidents(fixture.swift.admin.token)).toEqual([])
    expect((await api.call(fixture.swift.admin.token, alarmCenter.incidentSites, { params: { id } })).status).toBe(404)

    await api.sql("update alarm set status = 3, closed_at = now(), close_reason = '恢复' where incident_id = $1", [id])
    await until(async () => (await incidents(admin.token)).find(({ status }) => status === incidentStatus.code.ended))
  })
})
