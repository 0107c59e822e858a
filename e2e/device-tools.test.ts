import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeXlsx } from '../apps/server/src/kit/bulk/sheets/write-xlsx.ts'
import { findViolations } from './axe.ts'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Work with devices besides commands: codes, site, instructions and keys. */
let browser: Browser
let device: { id: string; deviceNo: string; siteId: string }
beforeAll(async () => {
  browser = await sharedBrowser()
  const [found] = await sql<typeof device>(
    `select device.id, device_no as "deviceNo", site_id as "siteId" from device
     join device_type type on type.id = device.device_type_id join instruction_set made on made.protocol_id = type.protocol_id
     where made.code = 'XY-2-V20' and organise_id = 2 and site_id is not null and deleted_at is null and free_ports > 0
     order by device.id limit 1`,
  )
  device = found ?? expect.unreachable('the demo has no such device')
  await sql('update device set online = true where id = $1', [device.id])
})

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const pick = (page: Page, option: string | RegExp) =>
  page.locator('.ant-select-dropdown:visible').getByText(option).first().click()

describe('codes of a device', () => {
  it('are shown and printed from the list of devices, with those of its ports', async () => {
    await sql(
      `with batch as (
         insert into qr_batch (organise_id, batch_no, type, kind, units, ports, total, made, prefix, status, user_id, created_by)
         values (2, 'B20260101-900001', 1, 1, 1, 1, 1, 1, 'T', 1, 1, '张伟') returning id, batch_no)
       insert into qr_code (organise_id, agent_id, site_id, batch_id, batch_no, code_no, set_no, type, kind, content, port_no, device_id,
         status, used_at, bound_at)
       select device.organise_id, device.agent_id, device.site_id, batch.id, batch.batch_no, 'TOOLS0000001', 'TOOLS0000001', 1, 5,
         'https://localhost/c/TOOLS0000001.signature', 1, device.id, 1, now(), now()
       from batch, device where device.id = $1`,
      [device.id],
    )
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await page.goto(`/product/deviceManage?keyword=${device.deviceNo}`)
    await page.getByRole('button', { name: `更多操作 ${device.deviceNo}` }).click()
    await page.getByRole('menuitem', { name: '二维码' }).click()
    await page.getByRole('heading', { name: `二维码：设备 ${device.deviceNo}` }).waitFor()
    const cell = page.locator('.code-cell').filter({ hasText: 'TOOLS0000001' })
    await cell.getByText(`${device.deviceNo} 统一平台桩码`).waitFor()
    await cell.getByText('1 号端口').waitFor()
    expect(await cell.locator('svg').count()).toBeGreaterThan(0)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: '打包下载' }).click()
    await shown(page, /打包任务已提交/)
    await page.getByRole('button', { name: /返\s*回/ }).click()
    await shown(page, device.deviceNo)
    expect(errors).toEqual([])
  })
})

describe('a site', () => {
  it('leads from the counted ports to their devices', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/site')
    await page.locator('.site-ports a').filter({ hasText: '空闲' }).first().click()
    await page.waitForURL(/\/product\/deviceManage\?siteId=\d+&plugStatus=1/)
    await shown(page, /共 \d+ 条/)
    expect(errors).toEqual([])
  })
})

describe('an operator', () => {
  it('is found by its parent agent, selected by name', async () => {
    const [agent] = await sql<{ name: string; below: string }>(
      `select above.name, agent.name as below from agent join agent above on above.id = agent.parent_agent_id
       where agent.organise_id = 2 and agent.deleted_at is null and above.deleted_at is null order by agent.id limit 1`,
    )
    if (agent === undefined) throw new Error('the demo has no agent below another')
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/operatorInfo')
    await shown(page, /共 \d+ 条/)
    await page.getByRole('button', { name: '展开' }).click()
    await page.getByRole('combobox', { name: '上级代理商' }).fill(agent.name)
    await pick(page, agent.name)
    await page.getByRole('button', { name: /查\s*询/ }).click()
    await page.waitForURL(/parentAgentId=\d+/)
    await page.getByRole('list', { name: '已选条件' }).getByText(agent.name).waitFor()
    await page.getByRole('cell', { name: agent.below }).first().waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(errors).toEqual([])
  })
})

describe('an instruction', () => {
  it('is offered for a test on a device found by its number, or shows why not', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/product/instructionSet')
    await page.getByRole('row').filter({ hasText: 'XY-2-V20' }).getByRole('button', { name: '指令维护' }).click()
    const drawer = page.getByRole('dialog').filter({ hasText: '指令维护' })
    const test = (name: string) =>
      drawer.getByRole('row').filter({ hasText: name }).getByRole('button', { name: '在线测试' })
    // The drawer may have opened below the pointer, so that hovering moves nothing.
    await page.mouse.move(0, 0)
    await test('设备心跳').hover()
    await page.getByRole('tooltip', { name: '上行指令由设备上报，不能下发' }).waitFor()
    await test('查询状态').click()
    const dialog = page.getByRole('dialog').filter({ hasText: '在线测试：查询状态' })
    await dialog.getByRole('combobox', { name: '设备' }).fill(device.deviceNo)
    await pick(page, new RegExp(device.deviceNo))
    expect(await findViolations(page)).toEqual([])
    expect(errors).toEqual([])
  })
})

describe('a sheet of keys', () => {
  it('is validated without showing a key', async () => {
    async function* rows() {
      yield ['NOBODY01', 'secret-of-the-maker']
    }
    const through = new PassThrough()
    const [sheet] = await Promise.all([buffer(through), writeXlsx(['设备编号*', '密钥*'], rows(), through)])
    const { page, errors } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/product/deviceAuth')
    await page.getByRole('button', { name: '导入' }).click()
    await page.locator('input[type=file]').setInputFiles({
      name: '密钥.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: sheet,
    })
    await shown(page, '如：********')
    await page.getByRole('button', { name: '检查数据' }).click()
    await shown(page, '设备不存在')
    await page.getByRole('button', { name: '修正' }).first().click()
    expect(await page.getByRole('dialog').getByLabel('密钥').inputValue()).toBe('********')
    expect(await page.content()).not.toContain('secret-of-the-maker')
    expect(errors).toEqual([])
  })
})
