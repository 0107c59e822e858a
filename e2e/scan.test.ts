import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { encodeQR } from 'qr'
import type { Browser } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { startGatewayProcess } from '../apps/server/test/harness/process.ts'
import { until } from '../apps/server/test/harness/until.ts'
import { realHabits } from '../apps/simulator/src/habits.ts'
import { noFaults } from '../apps/simulator/src/faults.ts'
import { startFleet } from '../apps/simulator/src/fleet.ts'
import { registerFleet } from '../tools/demo/fleet-data.ts'
import { call, installation, open, sql, tokenOf } from './browser.ts'
import { launch } from './chromium.ts'

/** An installer with a phone: the camera reads a printed code, and the device is bound. */
let browser: Browser
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let fleet: ReturnType<typeof startFleet>
let folder: string
let code: { id: string; codeNo: string; content: string }
let device: { deviceNo: string; siteName: string }
const phone = { width: 390, height: 844 }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wattdeck-camera-'))
  code = await orderCode()
  const [site] = await sql<{ id: string; name: string }>(
    'select id, name from site where organise_id = 2 and agent_id = 2 and deleted_at is null order by id limit 1',
  )
  if (site === undefined) throw new Error('the demo has no site')
  const order = { organiseId: '2', siteId: site.id, dny: 3, mqtt: 0, ports: 10 }
  const identities = (await registerFleet(installation.database, order)).slice(2)
  device = { deviceNo: identities[0]?.deviceNo ?? '', siteName: site.name }
  gateway = await startGatewayProcess(testConfig(installation.database))
  fleet = startFleet({
    identities,
    habits: { ...realHabits, reportMs: 1500, idleMs: 0 },
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 100,
  })
  const video = join(folder, 'camera.y4m')
  writeFileSync(video, videoOf(code.content))
  browser = await launch([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ])
})
afterAll(async () => {
  fleet.stop()
  await gateway.stop()
  await browser.close()
  rmSync(folder, { recursive: true })
})

/** Requested as the console does, created by the worker. */
async function orderCode() {
  const token = await tokenOf('green')
  const { data } = await call(token, qrCodeManage.generate, { body: { kind: 1, units: 1 } as never })
  return until(async () => {
    const query = { batchNo: data.batchNo } as never
    return (await call(token, qrCodeManage.list, { query })).data.rows[0]
  })
}

/** The camera input: the code in the middle of a grey wall, 640 by 480, in the format of Chromium's fake camera. */
function videoOf(content: string): Buffer {
  const [width, height] = [640, 480]
  const modules = encodeQR(content, 'raw', { ecc: 'medium', border: 4 })
  const scale = Math.floor(400 / modules.length)
  const [left, top] = [width, height].map((side) => Math.floor((side - modules.length * scale) / 2))
  const luma = Buffer.alloc(width * height, 150)
  for (const [y, line] of modules.entries())
    for (const [x, black] of line.entries())
      for (let dy = 0; dy < scale; dy++) {
        const start = ((top ?? 0) + y * scale + dy) * width + (left ?? 0) + x * scale
        luma.fill(black ? 20 : 235, start, start + scale)
      }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame, frame])
}

/** A photo of a name plate. */
async function photoOf(content: string): Promise<string> {
  const path = join(folder, 'plate.png')
  const svg = encodeQR(content, 'svg', { border: 4 })
  await sharp(Buffer.from(svg), { density: 600 }).resize(700).flatten({ background: '#fff' }).png().toFile(path)
  return path
}

describe('an installer', () => {
  it('scans a code, then the device, binds them and reports the site', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('installer'), ...phone })
    await page.goto('/product/deviceScan')
    // The camera reads the code itself; the code is unbound, so the page requests the device.
    await page.getByText(code.codeNo).waitFor()
    await page.getByLabel('选择二维码照片').setInputFiles(await photoOf(device.deviceNo))
    await page.getByRole('button', { name: '确认绑定' }).waitFor()
    await page.getByText(device.deviceNo).first().waitFor()
    await page.getByRole('button', { name: '确认绑定' }).click()
    await page.getByRole('button', { name: '改绑到其他设备' }).waitFor()
    await page.getByText(device.siteName).first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width)
    const [bound] = await sql<{ deviceNo: string }>(
      'select device_no as "deviceNo" from qr_code join device on device.id = device_id where code_no = $1',
      [code.codeNo],
    )
    expect(bound).toEqual({ deviceNo: device.deviceNo })
    const logs = await sql('select content from audit_log where content like $1', [`绑定二维码：${code.codeNo}%`])
    expect(logs).toHaveLength(1)
    const placed = page.waitForResponse((response) => response.url().endsWith('/deviceScan/place'))
    await page.getByRole('button', { name: '登记安装站点' }).click()
    expect((await placed).status()).toBe(200)
    expect(errors).toEqual([])
  })

  it('tests one of its ports, and closes its ticket with a photo', async () => {
    const body = { deviceNo: device.deviceNo, portNo: 1, fault: 2, priority: 2, description: '插座无电' } as const
    const { data } = await call(await tokenOf('green'), repairTicket.add, { body })
    const { page, errors } = await open(browser, { token: await tokenOf('installer'), ...phone })
    await page.goto('/product/deviceScan')
    await page.getByRole('button', { name: '测试端口' }).click()
    await page.getByText('启动1号端口：成功').waitFor()
    await until(async () => {
      const [port] = await sql<{ order: string | null }>(
        'select order_no as order from port join device on device.id = device_id where device_no = $1 and port_no = 1',
        [device.deviceNo],
      )
      return port?.order ?? undefined
    })
    await page.getByRole('button', { name: '停止测试' }).click()
    await page.getByText('停止1号端口：成功').waitFor()

    await page.getByRole('button', { name: '该设备的维修工单' }).click()
    await page.getByRole('button', { name: '完成维修' }).click()
    await page.locator('.ant-modal input[type=file]').setInputFiles(await photoOf('已修好'))
    await page.locator('.ant-modal .picture-list img').first().waitFor()
    await page.getByLabel('维修结果').fill('更换保险丝')
    const done = page.waitForResponse((response) => response.url().endsWith('/repairTicket/complete'))
    await page.locator('.ant-modal').getByRole('button', { name: '完成维修' }).click()
    expect((await done).status()).toBe(200)
    const [ticket] = await sql(
      'select status, cardinality(result_picture_ids) as pictures from repair_ticket where id = $1',
      [data.id],
    )
    expect(ticket).toEqual({ status: 3, pictures: 1 })
    expect(errors).toEqual([])
  })

  it('sees a plain message when the camera is not allowed, and types the number', async () => {
    const other = await launch()
    try {
      const { page } = await open(other, { token: await tokenOf('green'), ...phone })
      await page.goto('/product/deviceScan')
      await page.getByText(/未获得摄像头权限|摄像头不可用/).waitFor()
      await page.getByRole('searchbox', { name: '二维码编码或设备编号' }).fill(device.deviceNo)
      await page.getByRole('button', { name: '确定' }).click()
      await page.getByText('在线状态').waitFor()
    } finally {
      await other.close()
    }
  })
})
