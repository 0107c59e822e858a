import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@wattdeck/contract/auth/login.ts'
import { realHabits } from '../../apps/simulator/src/habits.ts'
import { noFaults } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { callerOf } from '../../apps/server/test/harness/client.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import { startGatewayProcess } from '../../apps/server/test/harness/process.ts'
import { totpCode, totpStep } from '../../apps/server/src/features/auth/login/totp.ts'
import { launch } from '../../e2e/chromium.ts'
import { startInstallation } from '../../e2e/installation.ts'
import { demoPassword, demoTotpSecret } from '../../tools/demo/demo-people.ts'
import { registerFleet } from '../../tools/demo/fleet-data.ts'

const database = 'wattdeck_bench_live'
const devices = 1000
const shown = 20
const rounds = Number(process.env['LIVE_ROUNDS'] ?? '15')

/** From the frame of a device to the changed cell in Chromium, while a thousand devices report each second. */
export async function benchLive(): Promise<void> {
  const installation = await startInstallation(database)
  const identities = await registerFleet(database, { organiseId: '2', dny: devices, mqtt: 0, ports: 2 })
  const gateway = await startGatewayProcess(testConfig(database))
  const fleet = startFleet({
    identities,
    habits: { ...realHabits, heartbeatMs: 1000, idleMs: 0 },
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 200,
  })
  const browser = await launch()
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })).newPage()
  const token = await tokenOf(installation.url)
  await page.addInitScript(`sessionStorage.setItem('access-token', ${JSON.stringify(token)})`)
  const seen: { no: string; working: boolean; at: number }[] = []
  await page.exposeFunction('sawPlug', (no: string, working: boolean, at: number) => seen.push({ no, working, at }))
  // Their numbers share a prefix: the list shows the newest twenty of them.
  await page.goto(`${installation.url}/product/deviceManage?keyword=0100&pageSize=${shown}`)
  await page
    .locator('.online-dot[data-online=true]')
    .nth(shown - 1)
    .waitFor({ timeout: 60_000 })
  await sleep(8000)
  await page.evaluate(`new MutationObserver(() => {
    for (const row of document.querySelectorAll('tr.ant-table-row')) {
      const no = row.querySelector('a')?.textContent
      const working = row.querySelector('.plug')?.getAttribute('data-tone') === 'run'
      if (no === undefined || row.working === working) continue
      if (row.working !== undefined) window.sawPlug(no, working, Date.now())
      row.working = working
    }
  }).observe(document.querySelector('.ant-table-tbody'), { subtree: true, childList: true, attributes: true, characterData: true })`)
  await sleep(3000)

  const onScreen = new Set(await page.locator('tr.ant-table-row a').allTextContents())
  const chosen = fleet.devices.filter(({ identity }) => onScreen.has(identity.deviceNo))
  const sent: { no: string; working: boolean; at: number }[] = []
  const before = fleet.tally.sent
  const started = Date.now()
  for (let round = 0; round < rounds; round++) {
    for (const device of chosen) {
      const working = round % 2 === 0
      sent.push({ no: device.identity.deviceNo, working, at: Date.now() })
      if (working) device.plugIn(1, Date.now())
      else device.finish(1, Date.now())
      await sleep(1500 / chosen.length)
    }
  }
  const rate = (fleet.tally.sent - before) / ((Date.now() - started) / 1000)
  await sleep(3000)
  const latencies = sent
    .map(
      ({ no, working, at }) =>
        (seen.find((one) => one.no === no && one.working === working && one.at >= at)?.at ?? Number.POSITIVE_INFINITY) -
        at,
    )
    .toSorted((one, other) => one - other)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  console.log(
    `${chosen.length} devices shown, ${Math.round(rate)} messages/s of ${devices}: ${latencies.length} changes, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, never seen ${latencies.filter((one) => !Number.isFinite(one)).length} (goal p99 < 1000 ms)`,
  )
  fleet.stop()
  await browser.close()
  await gateway.stop()
  await installation.stop()
  process.exit(0)
}

async function tokenOf(url: string): Promise<string> {
  const call = callerOf(url)
  const { data } = await call(undefined, login.byPassword, { body: { loginName: 'green', password: demoPassword } })
  if (data.stage === 'full') return data.access_token
  const code = totpCode(demoTotpSecret, totpStep(Date.now()))
  return (await call(data.access_token, login.secondFactor, { body: { code } })).data.access_token
}
