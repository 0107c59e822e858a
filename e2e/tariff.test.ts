import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** A tariff from the first figure to its effective day: written, tried on past charges, published. */
let browser: Browser
let token: string
let siteName: string
const name = '流程标准'

beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
  // Recent charges, at one yuan each, at a demo device whose site has no others.
  const [quiet] = await sql<{ id: string; site: string }>(
    `select device.id, site.name as site from device join site on site.id = device.site_id where device.organise_id = 2 and device.id < 1000
       and not exists (select from charging_order where charging_order.site_id = site.id) order by device.id limit 1`,
  )
  siteName = quiet?.site ?? ''
  await sql(`insert into member (id, organise_id, nickname) values (990001, 2, '流程会员') on conflict do nothing`)
  await sql(
    `insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id,
      start_mode, billing_type, status, limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, peak_power_dw,
      electricity_fen, service_fen, total_fen, paid_fen, settled_at)
    select app.message_id(at) + n, 2, device.agent_id, device.site_id, device.id, 1, device.device_no, device.device_type_id, 'flow' || n, 990001,
      1, 0, 3, 2, 60, 1000, at, at + interval '1 hour', 3600, 10000, 10000, 60, 40, 100, 100, now()
    from device, generate_series(1, 20) n, lateral (select now() - make_interval(hours => 10 + n) as at) made where device.id = $1`,
    [quiet?.id],
  )
})

describe('a tariff', () => {
  it('is written beside its meaning, tried on past charges and published', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/product/consumptionStandard')
    await page.getByRole('button', { name: '新增消费标准' }).click()
    const editor = page.getByRole('dialog', { name: '新增消费标准' })
    await editor.getByText('还需完善').waitFor()
    expect(await editor.getByRole('button', { name: '保存草稿' }).isDisabled()).toBe(true)
    await editor.getByLabel('名称', { exact: true }).fill(name)
    await editor.getByLabel('第1段电费').fill('0.7')
    await editor.getByLabel('第1段服务费').fill('0.5')
    await editor.getByText('平时段 00:00–24:00：电费 0.70 元/度，服务费 0.50 元/度').waitFor()

    // The day is split in two; an edge moves by the arrow keys, and the price display follows.
    await editor.getByRole('button', { name: '拆分第1段' }).click()
    await editor.getByRole('slider', { name: '第1段结束时间' }).press('ArrowLeft')
    await editor.getByText('平时段 00:00–11:30').waitFor()
    await editor.getByLabel('第2段服务费').fill('0.6')
    expect(await findViolations(page)).toEqual([])
    await editor.getByRole('button', { name: '保存草稿' }).click()

    const drawer = page.getByRole('dialog', { name })
    await drawer.getByRole('tab', { name: '试算' }).click()
    await drawer.getByLabel('所属站点').click()
    await page.keyboard.type(siteName)
    await page.getByTitle(siteName).last().click()
    await drawer.getByRole('button', { name: '开始试算' }).click()
    await drawer.getByText(/近 30 天共 20 单：20 单变贵/).waitFor()
    await drawer.getByText('流***').waitFor()
    expect(await findViolations(page)).toEqual([])

    await drawer.getByRole('button', { name: '发布第 1 版' }).click()
    await page
      .getByRole('dialog', { name: `发布「${name}」第 1 版` })
      .getByRole('button', { name: '发布' })
      .click()
    await drawer.getByRole('tab', { name: '版本记录' }).click()
    await drawer.getByText('生效中').waitFor()
    await drawer.getByText(/张伟 发布/).waitFor()
    const [row] = await sql<{ state: number }>(
      'select version.state from tariff join tariff_version version on version.id = tariff.version_id where name = $1',
      [name],
    )
    expect(row).toEqual({ state: 2 })
    expect(errors).toEqual([])
  })
})
