import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson } from '../apps/server/test/harness/people.ts'
import { readPdf } from '../apps/server/test/harness/read-pdf.ts'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** From the order list to one order, its evidence, and the forced end of one whose device is offline. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

type Found = { id: string; total: string; deviceNo: string; electricity: string; service: string }
const columns = `id, device_no as "deviceNo", to_char(total_fen / 100.0, 'FM990.00') as total,
  to_char(electricity_fen / 100.0, 'FM990.00') as electricity, to_char(service_fen / 100.0, 'FM990.00') as service`

/** The newest demo order billed by energy over several segments of the day. */
async function billedOrder(): Promise<Found> {
  const [found] = await sql<Found>(
    `select ${columns} from charging_order where organise_id = 2 and device_id < 1000 and status = 3 and billing_type = 0 and settlement is not null
       and jsonb_array_length(bill -> 'lines') > 1 order by id desc limit 1`,
  )
  return found ?? expect.unreachable('the demo has no such order')
}

const detail = async (page: Page, id: string) => {
  await page.goto(`/order/chargingOrder?id=${id}`)
  await page.getByRole('heading', { name: '订单信息' }).waitFor()
}

describe('the order centre', () => {
  it('shows its lists in groups', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/order/consumeOrder')
    const menu = page.getByRole('navigation', { name: '订单中心' })
    await menu.getByRole('button', { name: '交易订单' }).waitFor()
    expect(await menu.getByRole('button').allInnerTexts()).toEqual(['交易订单', '充值订单'])
    await menu.getByRole('button', { name: '充值订单' }).click()
    await menu.getByRole('link', { name: '充值记录' }).waitFor({ state: 'detached' })
    expect(await page.locator('.trail li').allInnerTexts()).toEqual(['订单中心', '交易订单'])
    expect(errors).toEqual([])
  })
})

const memberLinks = 'tbody a[href*="/member/memberInfo"]'

describe('the payer of an order', () => {
  it.each(['/order/consumeOrder', '/order/payOrder', '/order/rechargeRecord'])(
    'opens as a member in %s',
    async (path) => {
      const { page, errors } = await open(browser, { token })
      await page.goto(path)
      await page.locator(memberLinks).first().click()
      await page.waitForURL(/\/member\/memberInfo\?id=\d+$/)
      await page.getByRole('list', { name: '会员概况' }).getByText('账户余额').waitFor()
      expect(errors).toEqual([])
    },
  )

  it('is plain text without the right to read members', async () => {
    const clerk = await makePerson({ sql }, { organiseId: '2', loginName: 'e2e_orders_only', menus: ['7', '7.2'] })
    const { page } = await open(browser, { token: clerk.token })
    await page.goto('/order/consumeOrder')
    await page.locator('tbody tr.ant-table-row').first().waitFor()
    await page.locator('tbody a[href*="/order/chargingOrder"]').first().waitFor()
    expect(await page.locator(memberLinks).count()).toBe(0)
  })
})

describe('the list of orders', () => {
  it('is narrowed by a filter, sums its result, and shows one more column', async () => {
    const { page, errors } = await open(browser, { token })
    const [span] = await sql<{ from: string; to: string }>(
      `select to_char(now() at time zone 'Asia/Shanghai' - interval '29 days', 'YYYY-MM-DD') as from, to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as to`,
    )
    // It opens with one week and its sum; the tab of all orders has none.
    await page.goto('/order/consumeOrder')
    await page.getByText(/^合计：订单/).waitFor()
    expect(await page.locator('.view-track [aria-current="true"]').innerText()).toBe('近7天')
    await page.getByRole('button', { name: /^全部/ }).click()
    await page.getByText('选择 31 天内的下单时间可查看合计').waitFor()
    await page.goto(`/order/consumeOrder?from=${span?.from}&to=${span?.to}`)
    const sums = async (status: string) => {
      const [sum] = await sql<{ count: string; total: string }>(
        `select to_char(count(*), 'FM999,999') as count, to_char(sum(total_fen) / 100.0, 'FM999,990.00') as total from charging_order
         where organise_id = 2 and id >= app.message_id($1::timestamp at time zone 'Asia/Shanghai') and ($2 = '' or status::text = $2)`,
        [span?.from, status],
      )
      return new RegExp(`合计：订单 ${sum?.count} ·.*应收 ¥${sum?.total} ·`)
    }
    await page.getByText(await sums('')).waitFor()
    await page.getByRole('button', { name: '展开' }).click()
    await page.getByLabel('状态', { exact: true }).click()
    await page.getByTitle('未启动').last().click()
    await page.getByRole('button', { name: /查\s?询$/ }).click()
    await page.getByText(await sums('4')).waitFor()
    const states = await page.locator('tbody tr.ant-table-row .status-tag').allInnerTexts()
    expect(new Set(states)).toEqual(new Set(['未启动']))

    const heads = () => page.locator('thead th').allInnerTexts()
    expect(await heads()).not.toContain('峰值功率（W）')
    await page.getByRole('button', { name: '列设置' }).click()
    await page.getByRole('checkbox', { name: '峰值功率（W）' }).check()
    await expect.poll(heads).toContain('峰值功率（W）')
    await page.getByRole('button', { name: '恢复默认' }).click()
    expect(errors).toEqual([])
  })
})

describe('an order', () => {
  it('is found by its number and shows its curve, its segments, its price in words and its money', async () => {
    const { id, total, electricity, service } = await billedOrder()
    const { page, errors } = await open(browser, { token })
    await page.goto(`/order/completedOrder?orderNo=${id}`)
    await page.getByRole('link', { name: id }).click()
    await page.getByRole('figure', { name: /充电功率：共 \d+ 个点/ }).waitFor()
    expect(await page.getByRole('cell', { name: /时段 \d\d:\d\d–\d\d:\d\d 电费/ }).count()).toBeGreaterThan(1)
    const why = page.locator('section', { has: page.getByRole('heading', { name: '为什么是这个价格' }) })
    await why.getByText(`应付 ${total} 元`).waitFor()
    await why.getByText(`四舍五入为 ${electricity} 元`).first().waitFor()
    await why.getByText(`四舍五入为 ${service} 元`).first().waitFor()

    await page.getByRole('tab', { name: '资金' }).click()
    const money = page.getByRole('row')
    await money.filter({ hasText: '冻结' }).filter({ hasText: '会员充值冻结' }).first().waitFor()
    const paid = money.filter({ hasText: '充电消费' })
    await paid.getByText('站点电费收入').waitFor()
    await paid.getByText(electricity, { exact: true }).first().waitFor()
    expect(errors).toEqual([])
  })

  it('shows the commands to its device and the reports from it', async () => {
    const [order] = await sql<{ id: string; energy: string }>(
      `select id, settlement ->> 'energyWh' as energy from charging_order
       where organise_id = 2 and device_id < 1000 and status = 3 and settlement is not null and command_id is not null order by id desc limit 1`,
    )
    const { page, errors } = await open(browser, { token })
    await detail(page, order?.id ?? '')
    await page.getByRole('tab', { name: '报文' }).click()
    const bill = page.getByRole('row').filter({ hasText: '结算' }).first()
    await bill.getByText(order?.id ?? '').waitFor()
    await page.getByRole('tab', { name: '指令' }).click()
    await page.getByRole('row').filter({ hasText: '小程序' }).filter({ hasText: '成功' }).waitFor()
    expect(errors).toEqual([])
  })

  it('offers its evidence as a PDF whose text contains its number, its amount and its device', async () => {
    const { id, total, deviceNo } = await billedOrder()
    const { page } = await open(browser, { token })
    await detail(page, id)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: '举证材料' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe(`举证材料-${id}.pdf`)
    const { text, attachments } = await readPdf(readFileSync(await saved.path()))
    const plain = text.replaceAll(/\s/g, '')
    for (const part of [`订单号${id}`, `应收${total}元`, `应付${total}元`, `设备${deviceNo}`])
      expect(plain).toContain(part)
    expect(attachments['evidence.json']).toContain(id)
  })

  it('whose device is offline is force-settled for the displayed amount', async () => {
    const [openOrder] = await sql<{ id: string; held: string; memberId: string }>(
      `select o.id, o.member_id as "memberId", o.held_paid_fen + o.held_gift_fen as held from open_charge join charging_order o on o.id = order_id
       where open_charge.organise_id = 2 and o.device_id < 1000 order by o.id limit 1`,
    )
    const { id, held: reservedFen, memberId } = openOrder ?? expect.unreachable('the demo has no open order')
    const wallet = async () => {
      const [sum] = await sql<{ fen: string }>(
        'select sum(balance_fen)::text as fen from account where owner_id = $1 and kind in (1, 2)',
        [memberId],
      )
      return BigInt(sum?.fen ?? 0)
    }
    const before = await wallet()
    await sql('update device set online = false where id = (select device_id from open_charge where order_id = $1)', [
      id,
    ])
    const { page, errors } = await open(browser, { token })
    await page.goto(`/order/unfinishedOrder?orderNo=${id}`)
    await page.getByRole('row').filter({ hasText: id }).getByText('离线', { exact: true }).waitFor()
    await page.getByRole('button', { name: `更多操作 ${id}` }).click()
    await page.getByRole('menuitem', { name: /^强制结算/ }).click()
    const confirm = page.getByRole('button', { name: /按 ¥\d+\.\d\d 结算/ })
    await confirm.waitFor()
    const shown = /¥(\d+\.\d\d)/.exec((await confirm.textContent()) ?? '')?.[1] ?? ''
    await page.getByLabel('结算原因').fill('设备损坏，已更换')
    await confirm.click()
    await page.getByText(`已按 ¥${shown} 结算`).waitFor()
    const [order] = await sql<{ status: number; total: string }>(
      `select status, to_char(total_fen / 100.0, 'FM990.00') as total from charging_order where id = $1`,
      [id],
    )
    expect(order).toEqual({ status: 3, total: shown })
    expect(await wallet()).toBe(before + BigInt(reservedFen) - BigInt(shown.replace('.', '')))
    expect(await sql('select * from app.ledger_breaks()')).toEqual([])
    expect(errors).toEqual([])
  })
})

describe('a charge at the counter', () => {
  it("requires a code from the member's phone, and shows only whether the member can pay", async () => {
    const [member] = await sql<{ phone: string }>(
      'select phone from member where organise_id = 2 and status = 1 and phone is not null order by id limit 1',
    )
    const [device] = await sql<{ deviceNo: string }>(
      'select device_no as "deviceNo" from device where organise_id = 2 and deleted_at is null order by id limit 1',
    )
    const { page, errors } = await open(browser, { token })
    await page.goto('/order/consumeOrder')
    await page.getByRole('button', { name: '远程启动' }).click()
    const dialog = page.getByRole('dialog', { name: '远程启动充电' })
    await dialog.getByLabel('设备编号').fill(device?.deviceNo ?? '')
    await dialog.getByLabel('用户手机号').fill(member?.phone ?? '')
    await dialog.getByRole('button', { name: /^查\s?找$/ }).click()
    await dialog.getByText(/^.\*+，余额/).waitFor()
    await dialog.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送到用户手机，请向用户索取').waitFor()
    await dialog.getByLabel('用户验证码').fill('000000')
    await dialog.getByLabel(/金额/).fill('1.00')
    await dialog.getByRole('button', { name: /^启\s?动$/ }).click()
    await dialog.getByText('验证码错误或已过期').first().waitFor()
    // The browser itself logs the refusal.
    expect(errors.filter((error) => !error.includes('422'))).toEqual([])
  })
})
