import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { startGatewayProcess } from '../apps/server/test/harness/process.ts'
import { realHabits } from '../apps/simulator/src/habits.ts'
import { noFaults } from '../apps/simulator/src/faults.ts'
import { startFleet } from '../apps/simulator/src/fleet.ts'
import { registerFleet } from '../tools/demo/fleet-data.ts'
import { installation, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** A device that uses its own protocol, as operators see it. */
let browser: Browser
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>
beforeAll(async () => {
  browser = await sharedBrowser()
  identities = await registerFleet(installation.database, { organiseId: '2', dny: 1, mqtt: 0, ports: 10 })
  gateway = await startGatewayProcess(testConfig(installation.database))
})
afterAll(async () => {
  await gateway.stop()
})

describe('a device', () => {
  it('connects, turns green, reports power, draws its curve, replies to a query, and turns grey when its cable is pulled', async () => {
    const deviceNo = identities[0]?.deviceNo ?? ''
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await page.goto(`/product/deviceManage?keyword=${deviceNo}`)
    const row = page.locator('tr', { hasText: deviceNo }).first()
    await row.locator('.online-dot[data-online=false]').waitFor()

    const fleet = startFleet({
      identities,
      habits: { ...realHabits, reportMs: 1500, idleMs: 0, chargeMs: 600_000 },
      faults: noFaults,
      seed: 1,
      dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
      connectsPerSecond: 100,
    })
    // No user action: the live stream updates the page.
    await row.locator('.online-dot[data-online=true]').waitFor()
    fleet.devices[0]?.plugIn(3, Date.now())
    await row.locator('.plug[data-tone=run]').first().waitFor()
    expect(await row.locator('.plug[data-tone=run]').count()).toBe(1)

    await row.getByRole('link', { name: deviceNo, exact: true }).click()
    await page.waitForURL(/deviceDetail\?id=\d+/)
    await page
      .locator('.port-card[data-tone=run]')
      .getByText(/[1-9]\d*(\.\d)? W/)
      .waitFor()
    await page.getByRole('tab', { name: '功率曲线' }).click()
    const curve = page.locator('figure.chart')
    await curve.waitFor()
    const points = async () => Number(/共 (\d+) 个点/.exec((await curve.getAttribute('aria-label')) ?? '')?.[1] ?? 0)
    const before = await points()
    await expect.poll(points).toBeGreaterThan(before + 1)
    await page.getByRole('tab', { name: '通信日志' }).click()
    await page.getByText('心跳').first().waitFor()
    await page.getByRole('button', { name: '操作设备' }).click()
    await page.getByRole('menuitem', { name: '召测' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /召\s?测/ })
      .click()
    await page.getByText(`召测设备${deviceNo}：成功`).waitFor()
    // The restart dialog lists the ports that it would interrupt; the key that opens it does not confirm it.
    await page.getByRole('button', { name: '操作设备' }).click()
    await page.getByRole('menuitem', { name: '重启' }).click()
    const question = page.getByRole('dialog').filter({ hasText: `确定要重启设备「${deviceNo}」吗？` })
    await question.getByText(/[1-9]\d* 个（.*号端口）/).waitFor()
    await question.getByText('中断的充电不能恢复，用户须重新扫码').waitFor()
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    const restarts = `select from device_command command join device on device.id = command.device_id
      where device.device_no = $1 and command.kind = 'restart'`
    expect(await sql(restarts, [deviceNo])).toEqual([])
    await page.getByRole('tab', { name: '操作记录' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: `召测 ${deviceNo}` })
      .waitFor()

    fleet.stop()
    await page.locator('.online-dot[data-online=false]').first().waitFor()
    expect(errors).toEqual([])
  })
})
