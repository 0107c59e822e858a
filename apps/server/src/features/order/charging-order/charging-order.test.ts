import { chargingOrder as detail } from '@wattdeck/contract/order/charging-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeMessage, makeModels } from '../../../../test/fixtures/devices.ts'
import { chargingOrder, orderMenus } from '../../../../test/fixtures/orders.ts'
import { readPdf } from '../../../../test/harness/read-pdf.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const { id: organiseId } = fixture.green
const operator = await makePerson(api, { organiseId, loginName: 'green_detail', menus: orderMenus })
const trusted = await makePerson(api, { organiseId, loginName: 'green_trusted', menus: orderMenus, canUnmask: true })

async function billed() {
  const order = await chargingOrder(api, operator.token, fixture.green, models)
  await makeMessage(api, order.deviceId, {
    kind: 'settlement',
    content: { kind: 'settlement', energyWh: 500 },
    portNo: 1,
    frame: '444e590f',
  })
  await makeMessage(api, order.deviceId, { kind: 'portReport', content: { kind: 'portReport' }, portNo: 2 })
  await api.call(operator.token, unfinishedOrder.settle, { body: { id: order.id, total: '0.51', reason: '设备损坏' } })
  return order
}

describe('an order', () => {
  it('is shown with its bill, the explanation, its curve, its postings and the messages of its port', async () => {
    const { id } = await billed()
    const params = { id }
    const { data: order } = await api.call(operator.token, detail.read, { params })
    expect(order.parts.map(({ label, amount }) => [label, amount])).toEqual([
      ['平时段 00:00–24:00 电费', '0.31'],
      ['平时段 00:00–24:00 服务费', '0.20'],
    ])
    expect(order.explanation.at(-1)).toBe('应付 0.51 元：电费 0.31 元，服务费 0.20 元')
    const { data: curve } = await api.call(operator.token, detail.curve, { params })
    expect(curve).toHaveLength(12)
    expect(curve.at(-1)).toMatchObject({ energyDwh: 5000, powerDw: 5012 })
    const { data: postings } = await api.call(operator.token, detail.postings, { params })
    expect(postings.map(({ kind, by, memo }) => [kind, by, memo])).toEqual([
      [3, null, null],
      [5, '姓名green_detail', '设备损坏'],
    ])
    for (const { lines, digest } of postings) {
      expect(lines.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)).toBe(0)
      expect(digest).toMatch(/^[\da-f]{64}$/)
    }
    const { data: messages } = await api.call(operator.token, detail.messages, { params })
    expect(messages.rows.map(({ kind, portNo }) => [kind, portNo])).toEqual([['settlement', 1]])
  })

  it('has a curve of at most five hundred points, with its peak', async () => {
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    await api.sql(
      `insert into charge_sample (order_id, at, organise_id, agent_id, site_id, energy_dwh, power_dw)
       select id, started_at + make_interval(secs => n), organise_id, agent_id, site_id, n, case when n = 1777 then 9999 else 100 end
       from charging_order, generate_series(1, 3000) n where id = $1 on conflict do nothing`,
      [id],
    )
    const { data } = await api.call(operator.token, detail.curve, { params: { id } })
    expect(data.length).toBeLessThanOrEqual(500)
    expect(Math.max(...data.map(({ powerDw }) => powerDw ?? 0))).toBe(9999)
  })
})

describe('the evidence of an order', () => {
  const pack = async (actor: Actor, body: object) =>
    fetch(`${api.url}${detail.evidence.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${actor.token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(body as Record<string, string>),
    })

  it('is a readable PDF with amounts, rules, frames, postings and the hash of the data it carries', async () => {
    const { id, phone } = await billed()
    const reply = await pack(operator, { id })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    const { text, attachments } = await readPdf(Buffer.from(await reply.arrayBuffer()))
    const plain = text.replaceAll(/\s/g, '')
    for (const part of [
      id,
      '0.51元',
      '电费合计0.31元，四舍五入为0.31元',
      '444e590f',
      '站点电费收入',
      '设备损坏',
      '功率曲线',
    ])
      expect(plain).toContain(part.replaceAll(' ', ''))
    expect(plain).not.toContain(phone)
    const facts = attachments['evidence.json']
    expect(facts).toBeDefined()
    expect(plain).toContain(
      createHash('sha256')
        .update(facts ?? '')
        .digest('hex'),
    )
    const [logged] = await api.sql<{ content: string }>(
      `select content from audit_log where path = $1 and user_id = $2 order by id desc limit 1`,
      [detail.evidence.path, operator.id],
    )
    expect(logged?.content).toContain(`订单${id}，脱敏`)
  })

  it('names the member in the clear only to authorised users, and is logged', async () => {
    const { id, phone } = await billed()
    expect((await pack(operator, { id, clear: 'true' })).status).toBe(403)
    const reply = await pack(trusted, { id, clear: 'true' })
    const { text } = await readPdf(Buffer.from(await reply.arrayBuffer()))
    expect(text.replaceAll(/\s/g, '')).toContain(phone)
    const [logged] = await api.sql<{ content: string }>(
      `select content from audit_log where path = $1 and user_id = $2 order by id desc limit 1`,
      [detail.evidence.path, trusted.id],
    )
    expect(logged?.content).toContain('明文')
  })

  it('[attack.M1] in the clear counts towards the fifty reveals of a day, on every path', async () => {
    const { id } = await billed()
    await api.sql('delete from personal_reveal where user_id = $1', [trusted.id])
    expect((await pack(trusted, { id, clear: 'true' })).status).toBe(200)
    const count = async () => (await api.sql('select 1 from personal_reveal where user_id = $1', [trusted.id])).length
    expect(await count()).toBe(1)
    await api.sql(
      `insert into personal_reveal (organise_id, agent_id, site_id, user_id, kind, row_id, field, reason, expires_at)
       select organise_id, agent_id, site_id, user_id, kind, row_id, field, reason, expires_at
       from personal_reveal, generate_series(1, 49) where user_id = $1`,
      [trusted.id],
    )
    expect((await pack(trusted, { id, clear: 'true' })).status).toBe(429)
    expect(await count()).toBe(50)
    expect((await pack(trusted, { id })).status).toBe(200)
  })
})
