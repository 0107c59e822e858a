import { payAuth } from '@wattdeck/contract/accounting/pay-auth.ts'
import { keyState, paySetting, testStage } from '@wattdeck/contract/accounting/pay-setting.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer } from '../../../../test/fixtures/charging.ts'
import * as fixture from '../../../../test/fixtures/payments.ts'
import { makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'
import { apiUrl } from '../../../../../../tools/ops/database.ts'
import { Vault } from '../../../kit/crypto/vault.ts'

let there: fixture.PayContext
let people: Fixture
let client: OpenClient
let worker: Awaited<ReturnType<fixture.PayContext['startWorker']>>
beforeAll(async () => {
  there = await fixture.startPayFixture()
  people = await makeFixture(there.api)
  client = await makeOpenApp(there.api, people.green.id)
  worker = await there.startWorker()
})
afterAll(() => worker.stop())

type Sandboxed = ReturnType<fixture.PaySandbox['register']>
const call: fixture.PayContext['api']['call'] = (...args) => there.api.call(...args)
const admin = () => people.green.admin.token
const platform = () => people.platform.root.token

const add = async (registered: Sandboxed, more: object = {}) =>
  call(admin(), paySetting.add, {
    body: {
      provider: registered.provider === 'wechat' ? 1 : 2,
      mode: 1,
      name: `商户${registered.merchantNo}`,
      appId: registered.appId,
      merchantNo: registered.merchantNo,
      rate: 0.6,
      isDefault: true,
      ...more,
    } as never,
  })
const keyOf = (registered: Sandboxed) => {
  const [providerKeyId, providerKey = ''] = Object.entries(there.sandbox.publicKeys(registered.provider)).at(-1) ?? []
  const { certSerial: serial, privateKey, apiV3Key } = registered
  return registered.provider === 'wechat'
    ? { serial, privateKey, apiV3Key, providerKeyId, providerKey }
    : { privateKey, providerKey }
}
const addKey = (id: string, registered: Sandboxed, more: object = {}) =>
  call(admin(), paySetting.addKey, { body: { id, ...keyOf(registered), ...more } as never })
const approveKey = (id: string, keyId: string, token = platform()) =>
  call(token, paySetting.approveKey, { body: { id, keyId } })
const declineKey = (id: string, keyId: string) =>
  call(platform(), paySetting.declineKey, { body: { id, keyId, reason: '渠道公钥与渠道后台不一致' } })
const keyIn = (id: string, state: number) =>
  until(async () => (await rowOf(id))?.keys.find((key) => key.state === state))
const newestKey = async (id: string) => {
  const key = (await rowOf(id))?.keys[0]
  if (key === undefined) throw new Error('no key')
  return key
}
/** A key that the organisation requested, the platform approved and the provider accepted. */
async function addLiveKey(id: string, registered: Sandboxed) {
  expect((await addKey(id, registered)).status).toBe(200)
  const { id: keyId } = await newestKey(id)
  expect((await approveKey(id, keyId)).status).toBe(200)
  return until(async () => (await rowOf(id))?.keys.find((key) => key.id === keyId && key.state === keyState.code.live))
}
const notificationTitles = async (personId: string) =>
  (
    await there.api.sql<{ title: string }>('select title from notification where user_id = $1 order by id', [personId])
  ).map(({ title }) => title)
const rowOf = async (id: string) => {
  const { data } = await call(admin(), paySetting.list)
  return data.rows.find((row) => row.id === id)
}
const toggle = (id: string, status: 0 | 1) => call(admin(), paySetting.toggle, { body: { id, status } })

/** Pays the one-fen code of a merchant test. */
async function payTest(id: string): Promise<number> {
  const { testId } = (await call(admin(), paySetting.test, { body: { id } })).data
  const state = async () => (await call(admin(), paySetting.testState, { query: { testId } })).data
  const codeUrl = await until(async () => (await state()).codeUrl ?? undefined)
  there.sandbox.pay({ codeUrl })
  return until(async () => {
    const { stage } = await state()
    return stage === testStage.code.passed || stage === testStage.code.failed ? stage : undefined
  })
}

describe.each(['wechat', 'alipay'] as const)('a merchant at %s', (provider) => {
  it('accepts payments after key approval, platform authorisation and a payment and refund of one fen', async () => {
    const registered = there.sandbox.register(provider)
    const { data, status } = await add(registered)
    expect(status).toBe(200)
    const { id } = data
    expect((await call(admin(), paySetting.test, { body: { id } })).message).toBe('请先上传密钥')
    await addLiveKey(id, registered)
    expect((await toggle(id, 1)).message).toBe('平台尚未授权该商户，不能启用')
    expect((await call(admin(), payAuth.authorise, { body: { id } })).status).toBe(403)
    expect((await call(platform(), payAuth.authorise, { body: { id } })).status).toBe(200)
    expect((await toggle(id, 1)).message).toBe('请先通过一分钱测试')
    expect(await payTest(id)).toBe(testStage.code.passed)
    const tested = await rowOf(id)
    expect(tested).toMatchObject({ status: 0, rate: '0.60' })
    expect(tested?.testedAt).not.toBeNull()
    expect((await toggle(id, 1)).status).toBe(200)

    await there.api.sql('update pay_merchant set profit_sharing = true where id = $1', [id])
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '8.88', provider === 'wechat' ? '1' : '2')
    there.sandbox.pay({ codeUrl: await fixture.codeOf(client, rechargeNo) })
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')

    // Profit sharing is not implemented: no payment declares it, whatever an older version stored.
    const declared = there.sandbox.trades.filter(({ merchantNo }) => merchantNo === registered.merchantNo)
    expect(declared).toHaveLength(2)
    expect(declared.map(({ profitSharing }) => profitSharing)).toEqual([false, false])

    // A merchant without authorisation accepts no payment.
    await call(platform(), payAuth.cancel, { body: { id } })
    expect(await rowOf(id)).toMatchObject({ status: 0, authorised: false })
    await expect(fixture.requestRecharge(client, memberId, '1.00', provider === 'wechat' ? '1' : '2')).rejects.toThrow(
      '该支付方式未开通',
    )
  })
})

describe('the switch for splitting', () => {
  it('is rejected in a request and absent from the reply', async () => {
    const registered = there.sandbox.register('wechat')
    expect((await add(registered, { isDefault: false, profitSharing: 'true' })).status).toBe(422)
    const { id } = (await add(registered, { isDefault: false })).data
    expect(Object.keys((await rowOf(id)) ?? {})).not.toContain('profitSharing')
    expect(await there.api.sql('select profit_sharing from pay_merchant where id = $1', [id])).toEqual([
      { profit_sharing: false },
    ])
  })
})

describe('keys', () => {
  it('allow two at a time, and keep the last live key of an enabled merchant', async () => {
    const registered = there.sandbox.register('wechat')
    const { id } = (await add(registered)).data
    await addLiveKey(id, registered)
    await call(platform(), payAuth.authorise, { body: { id } })
    expect(await payTest(id)).toBe(testStage.code.passed)
    await toggle(id, 1)
    const [first] = (await rowOf(id))?.keys ?? []
    const retire = (keyId: string) => call(admin(), paySetting.retireKey, { body: { id, keyId } })
    expect((await retire(first?.id ?? '')).message).toBe('启用中的商户至少保留一把生效中的密钥')
    const { merchantNo, appId } = registered
    const next = there.sandbox.register('wechat', { merchantNo, appId })
    await addLiveKey(id, next)
    expect((await addKey(id, there.sandbox.register('wechat'))).message).toContain('已有两把')
    const keys = (await rowOf(id))?.keys ?? []
    expect(keys.map(({ serial }) => serial)).toEqual([next.certSerial, registered.certSerial])
    expect((await retire(first?.id ?? '')).status).toBe(200)
    // The new key signs, so a payment still succeeds.
    expect(await payTest(id)).toBe(testStage.code.passed)
  })

  it('that are invalid are rejected on upload', async () => {
    const registered = there.sandbox.register('wechat')
    const { id } = (await add(registered, { isDefault: false })).data
    expect((await addKey(id, registered, { privateKey: 'not a key' })).message).toContain('商户私钥不正确')
    expect((await addKey(id, registered, { providerKey: registered.privateKey })).message).toContain('渠道公钥不正确')
    expect((await addKey(id, registered, { providerKey: registered.publicKey })).message).toContain(
      '不能是商户自己的公钥',
    )
    expect((await addKey(id, registered, { apiV3Key: 'short' })).message).toBe('APIv3密钥须为32个字符')
    expect((await rowOf(id))?.keys).toEqual([])
  })

  it('[canary] appear in no reply, log or row in plain text', async () => {
    const canary = 'CANARYCANARYCANARYCANARYCANARY00'
    const registered = there.sandbox.register('wechat', { apiV3Key: canary })
    const body = registered.privateKey.replaceAll(/-----[^-]+-----|\s/g, '').slice(100, 160)
    const { id } = (await add(registered, { isDefault: false })).data
    const replies = [
      await addKey(id, registered),
      await addKey(id, registered),
      await addKey(id, registered, { providerKey: 'broken' }),
      await call(admin(), paySetting.list),
      await call(platform(), paySetting.list),
      await call(platform(), payAuth.list),
      await call(platform(), log.list, { query: { pageSize: 100 } as never }),
    ]
    const auditRows = await there.api.sql('select to_jsonb(a) as row from audit_log a where a.path like $1', [
      '%paySetting%',
    ])
    expect(auditRows.length).toBeGreaterThan(2)
    const [key] = await there.api.sql<{ sealed: string }>(
      'select secret_sealed as sealed from pay_key where merchant_id = $1',
      [id],
    )
    const output = JSON.stringify([replies, auditRows, await there.api.sql('select to_jsonb(k) as row from pay_key k')])
    expect(output).not.toContain(canary)
    expect(output.replaceAll(/\\n|\s/g, '')).not.toContain(body)
    // The sealed secret exists in its own row only.
    expect(JSON.stringify([replies, auditRows])).not.toContain(key?.sealed.slice(10, 60))
    expect(new Vault(there.api.config.signerKeys).open(key?.sealed ?? '')).toContain(canary)
  })
})

describe('a requested key', () => {
  const merchant = async () => {
    const registered = there.sandbox.register('wechat')
    return { made: registered, id: (await add(registered, { isDefault: false })).data.id }
  }

  it('is decided once, and only by another person of the platform', async () => {
    const { made: registered, id } = await merchant()
    await addKey(id, registered)
    const { id: keyId, state, own } = await newestKey(id)
    expect({ state, own }).toEqual({ state: keyState.code.waiting, own: true })
    expect((await approveKey(id, keyId, admin())).status).toBe(403)
    expect((await approveKey(id, keyId, people.swift.admin.token)).status).toBe(403)
    await call(admin(), paySetting.retireKey, { body: { id, keyId } })
    // Platform staff can also request a key; another of them decides.
    expect((await call(platform(), paySetting.addKey, { body: { id, ...keyOf(registered) } as never })).status).toBe(
      200,
    )
    const { id: requestedId } = await newestKey(id)
    expect(await approveKey(id, requestedId)).toMatchObject({ status: 409, message: '不能审批自己提交的密钥' })
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => approveKey(id, requestedId, people.platform.admin.token)),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
    expect(await keyIn(id, keyState.code.live)).toMatchObject({ id: requestedId, approvedBy: '姓名platform' })
  })

  it('neither signs nor passes a merchant test before the provider accepts it', async () => {
    const { id } = await merchant()
    // The provider does not know this key and refuses its signatures.
    await addKey(id, { ...there.sandbox.register('wechat'), certSerial: 'AB'.repeat(20) })
    const test = () => call(admin(), paySetting.test, { body: { id } })
    expect(await test()).toMatchObject({ status: 409, message: '密钥尚未生效，须先经平台审批和渠道验证' })
    const { id: keyId } = await newestKey(id)
    await approveKey(id, keyId)
    const tried = await until(async () => {
      const key = await newestKey(id)
      return key.words === null ? undefined : key
    })
    expect(tried).toMatchObject({ state: keyState.code.trying, liveAt: null })
    expect(tried.words).toContain('渠道')
    expect((await test()).status).toBe(409)
    // A key that the provider does not accept within a day is retired.
    await there.api.sql("update pay_key set approved_at = now() - interval '25 hours', try_at = now() where id = $1", [
      keyId,
    ])
    await until(async () => ((await rowOf(id))?.keys.length === 0 ? true : undefined))
  })

  it('notifies the organisation at each step, and the approvers of each request', async () => {
    const { made: registered, id } = await merchant()
    await there.api.sql('delete from notification')
    await addKey(id, registered)
    expect((await declineKey(id, (await newestKey(id)).id)).status).toBe(200)
    expect((await rowOf(id))?.keys).toEqual([])
    const live = await addLiveKey(id, registered)
    await call(admin(), paySetting.retireKey, { body: { id, keyId: live.id } })
    expect(await notificationTitles(people.green.admin.id)).toEqual([
      '支付密钥待审批',
      '支付密钥被驳回',
      '支付密钥待审批',
      '支付密钥已通过，等待渠道验证',
      '支付密钥已生效',
      '支付密钥已停用',
    ])
    expect(await notificationTitles(people.platform.root.id)).toEqual(['支付密钥待审批', '支付密钥待审批'])
  })

  it('cannot be made live by the database role of the api', async () => {
    const { made: registered, id } = await merchant()
    await addKey(id, registered)
    const role = new pg.Client({ connectionString: apiUrl(there.api.database) })
    await role.connect()
    try {
      await expect(role.query('update pay_key set live_at = now()')).rejects.toThrow('permission denied')
      await expect(role.query("update pay_key set provider_key = ''")).rejects.toThrow('permission denied')
    } finally {
      await role.end()
    }
  })
})

describe('another merchant number', () => {
  it('is a different merchant and needs a new test and authorisation', async () => {
    const registered = there.sandbox.register('wechat')
    const { id } = (await add(registered)).data
    await addLiveKey(id, registered)
    await call(platform(), payAuth.authorise, { body: { id } })
    expect(await payTest(id)).toBe(testStage.code.passed)
    await toggle(id, 1)
    const fields = { mode: 1, name: '改名', appId: registered.appId, merchantNo: registered.merchantNo, rate: 0.38 }
    await call(admin(), paySetting.edit, { body: { id, ...fields } as never })
    expect(await rowOf(id)).toMatchObject({ name: '改名', rate: '0.38', status: 1, authorised: true })
    await call(admin(), paySetting.edit, { body: { id, ...fields, merchantNo: '1600000009' } as never })
    expect(await rowOf(id)).toMatchObject({ status: 0, authorised: false, testedAt: null })
  })

  it('cannot be changed by users of an agent or a site', async () => {
    const registered = there.sandbox.register('wechat')
    const { id } = (await add(registered, { isDefault: false })).data
    for (const { token } of [people.green.agent, people.green.site])
      expect((await call(token, paySetting.remove, { body: { id } })).status).toBe(403)
    expect((await call(people.swift.admin.token, paySetting.remove, { body: { id } })).status).toBe(404)
    expect((await call(admin(), paySetting.remove, { body: { id } })).status).toBe(200)
  })
})
