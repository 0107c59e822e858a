import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { gatewayPublisher, heartbeat } from '../apps/server/test/harness/gateway-voice.ts'
import { until } from '../apps/server/test/harness/until.ts'
import { findViolations } from './axe.ts'
import { installation, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** An investigation: a device of a test tenant replays the messages of another device. */
let browser: Browser
let token: string
let bus: Awaited<ReturnType<typeof connectBus>>
let source: string
const config = testConfig(installation.database)

const makeDevice = async (organise: string, deviceNo: string) => {
  const [row] = await sql<{ id: string }>(
    `insert into device (organise_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports)
     select (select id from organise where name = $1), $2, '重放桩', type.id, type.category_id, type.small_category_id, protocol.adapter, $2, 2, 2
     from device_type type join dtu_protocol protocol on protocol.id = type.protocol_id where type.code = '98-01-01' returning id`,
    [organise, deviceNo],
  )
  return row?.id ?? ''
}

beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('admin')
  bus = await connectBus(config.natsUrl)
  await sql(`insert into device_category (id, level, code, name) values (981, 1, '98', '重放大类')`)
  await sql(`insert into device_category (id, parent_id, level, code, name) values (982, 981, 2, '98-01', '重放小类')`)
  await sql(`insert into dtu_protocol (id, code, name, version, adapter, transport, access_way, heartbeat_s)
    values (981, 'REPLAY', 'REPLAY', '1', 'dny', 1, 0, 60)`)
  await sql(`insert into device_type (id, code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
    values (981, '98-01-01', '重放双路桩', 981, 982, 2, 0, 1000, 981)`)
  await sql(`insert into organise (name) values ('被投诉的机构')`)
  await sql(`insert into organise (name, test) values ('平台实验室', true)`)
  source = await makeDevice('被投诉的机构', 'COMPLAINT1')
  await makeDevice('平台实验室', 'LAB00001')
  await recordCharge()
})
afterAll(async () => {
  await bus.close()
})

async function recordCharge() {
  const { item, publish } = gatewayPublisher(bus, config.prefix)
  const start = Date.now() - 60_000
  const at = (seconds: number) => ({ atMs: start + seconds * 1000 })
  const settled = { kind: 'settlement', port: 1, durationS: 1200, energyWh: 170, orderNo: '77', card: '1A2B3C4D' }
  const stopReason = { name: 'full', raw: 1 }
  await publish([
    item(source, { kind: 'connected', address: '10.0.0.8:4001' }, at(0)),
    item(source, heartbeat('free', 'free'), at(1)),
    item(source, { kind: 'command', commandId: '5', command: { kind: 'startPort', port: 1 } }, at(2)),
    item(source, heartbeat('working', 'free'), at(3)),
    item(source, { ...settled, stopReason }, { ...at(4), r: { key: '77:1', at: 1_790_000_000 } }),
    item(source, heartbeat('free', 'free'), at(5)),
  ])
  await until(async () => {
    const messages = await sql('select id from device_message where device_id = $1', [source])
    return messages.length === 6 ? true : undefined
  })
}

describe('a replay', () => {
  it('is started in the journal of a device, and compares the results', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto(`/product/deviceDetail?id=${source}&tab=journal`)
    await page.getByRole('button', { name: '重放', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('目标设备').click()
    await page.getByTitle('LAB00001 重放桩（平台实验室）').click()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: '开始重放' }).click()
    await page.getByText('重放结果与当时一致').waitFor()
    const drawer = page.getByRole('dialog', { name: '报文重放' })
    await drawer.getByText('共 5 条上行报文，已重放 5 条').waitFor()
    await drawer.getByRole('row', { name: /结算 1 号端口/ }).waitFor()
    await drawer.getByText('当时下发的指令（不重放）').waitFor()
    expect(await findViolations(page)).toEqual([])
    await drawer.getByRole('link', { name: 'LAB00001（平台实验室）' }).click()
    await page.getByText('LAB00001').first().waitFor()
    await page.goto(`/product/deviceDetail?id=${source}&tab=journal`)
    await page.getByRole('button', { name: '重放记录' }).click()
    await page.getByRole('dialog', { name: '重放记录' }).getByText('LAB00001（平台实验室）').waitFor()
    expect(errors).toEqual([])
  })
})
