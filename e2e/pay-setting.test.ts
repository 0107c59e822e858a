import { paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import type { NewMerchant } from '../apps/pay-sandbox/src/merchants.ts'
import { call, installation, open, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** A merchant key: the organisation uploads, the platform approves, the provider verifies. */
let browser: Browser
let asker: string
let platform: string
let merchant: NewMerchant
beforeAll(async () => {
  browser = await sharedBrowser()
  ;[asker, platform] = [await tokenOf('green'), await tokenOf('admin')]
  const init = { method: 'POST', body: '{}' }
  merchant = (await (await fetch(`${installation.simulator}/sandbox/merchants`, init)).json()) as NewMerchant
  const { appId, merchantNo } = merchant
  await call(asker, paySetting.add, {
    body: { provider: 1, mode: 1, name: '待换密钥商户', appId, merchantNo, rate: 0.6 } as never,
  })
})

async function openKeys(page: Page) {
  await page.goto('/accounting/paySetting')
  await page
    .getByRole('row', { name: /待换密钥商户/ })
    .getByRole('button', { name: /^密\s?钥$/ })
    .click()
  return page.getByRole('dialog', { name: '密钥：待换密钥商户' })
}

describe('a key of a merchant', () => {
  it('is uploaded by the organisation, approved by the platform, and live when the provider has replied', async () => {
    const keys = (await (await fetch(`${installation.simulator}/sandbox/keys`)).json()) as {
      wechat: Record<string, string>
    }
    const [providerKeyId = '', providerKey = ''] = Object.entries(keys.wechat).at(-1) ?? []
    const { page: asking, errors } = await open(browser, { token: asker })
    const drawer = await openKeys(asking)
    await drawer.getByText('尚未上传密钥').waitFor()
    await drawer.getByRole('button', { name: '上传密钥' }).click()
    const form = asking.getByRole('dialog', { name: '上传密钥：待换密钥商户' })
    await form.getByLabel('证书序列号').fill(merchant.certSerial)
    await form.getByLabel('商户私钥').fill(merchant.privateKey)
    await form.getByLabel('APIv3密钥').fill(merchant.apiV3Key)
    await form.getByLabel('渠道公钥ID').fill(providerKeyId)
    await form.getByLabel('渠道公钥', { exact: true }).fill(providerKey)
    await form.getByRole('button', { name: /^上\s?传$/ }).click()
    await asking.getByText('密钥已提交，平台审批并经渠道验证后生效').first().waitFor()
    await drawer.getByText('待平台审批').waitFor()
    // The requester may withdraw it, and has no other action.
    await drawer.getByRole('button', { name: /^撤\s?销$/ }).waitFor()
    expect(await drawer.getByRole('button', { name: /^通\s?过$/ }).count()).toBe(0)

    const { page } = await open(browser, { token: platform })
    const deciding = await openKeys(page)
    await deciding.getByRole('button', { name: /^通\s?过$/ }).click()
    await page.getByText('请先在渠道后台核对公钥指纹').waitFor()
    await page
      .getByRole('button', { name: /^通\s?过$/ })
      .last()
      .click()
    await page.getByText('已通过，正在向渠道验证该密钥').first().waitFor()
    await deciding.getByText('生效中').waitFor()
    await deciding.getByText('当前签名密钥').waitFor()
    await drawer.getByText('生效中').waitFor()
    expect(errors).toEqual([])
  })
})
