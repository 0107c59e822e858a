import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPaySandbox } from '../../../../pay-sandbox/src/sandbox.ts'
import { running } from '../../../test/harness/api.ts'
import { newNo } from '../../../test/fixtures/pay-asks.ts'
import { Breaker, Breakers, guarded } from './breaker.ts'
import { WechatProvider } from './providers/wechat/wechat-provider.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

test('opens after unknown answers of a provider, for one merchant only', async () => {
  const sandbox = await startPaySandbox({ retryMs: [] })
  running.push(sandbox.stop)
  const breakers = new Breakers({ after: 3, pauseMs: 1000, longestMs: 1500 })
  const [tired, other] = [sandbox.register('wechat'), sandbox.register('wechat')].map((merchant) => ({
    merchantNo: merchant.merchantNo,
    breaker: breakers.of('wechat', merchant.merchantNo),
    provider: guarded(
      new WechatProvider({
        ...merchant,
        url: sandbox.url,
        apiV3Keys: [merchant.apiV3Key],
        providerKeys: sandbox.publicKeys('wechat'),
      }),
      breakers.of('wechat', merchant.merchantNo),
    ),
  }))
  if (tired === undefined || other === undefined) throw new Error('no merchants')
  const ask = () => tired.provider.query(newNo())

  sandbox.behave({ vanish: true }, tired.merchantNo)
  for (const _ of [1, 2]) expect(await ask()).toMatchObject({ result: 'unknown', why: 'no connection' })
  expect(tired.breaker.standing()).toMatchObject({ state: 'closed', unknowns: 2 })
  await ask()
  expect(tired.breaker.standing()).toMatchObject({ state: 'open', unknowns: 3 })
  expect(await ask()).toEqual({ result: 'unknown', why: 'nobody is asked for a while' })
  expect(await other.provider.query(newNo())).toMatchObject({ result: 'refused' })
  expect([...breakers.standings()].map(([name, { state }]) => [name, state])).toEqual([
    [`wechat/${tired.merchantNo}`, 'open'],
    [`wechat/${other.merchantNo}`, 'closed'],
  ])

  // After the pause one trial request passes and blocks all others. If it gets no answer, the next pause is longer.
  pass(999)
  expect(tired.breaker.standing().state).toBe('open')
  pass(1)
  expect(tired.breaker.standing().state).toBe('halfOpen')
  const [first, second] = await Promise.all([ask(), ask()])
  expect([first, second]).toMatchObject([{ why: 'no connection' }, { why: 'nobody is asked for a while' }])
  expect(tired.breaker.standing().state).toBe('open')

  sandbox.behave({}, tired.merchantNo)
  pass(1499)
  expect(await ask()).toMatchObject({ why: 'nobody is asked for a while' })
  pass(1)
  expect(await ask()).toMatchObject({ result: 'refused' })
  expect(tired.breaker.standing()).toEqual({ state: 'closed', unknowns: 0, openedAt: undefined })
})

test('requests in flight when the breaker opens neither lengthen the pause nor start one', async () => {
  const breaker = new Breaker({ after: 2, pauseMs: 300, longestMs: 10_000 })
  const unknown = { result: 'unknown', why: 'no connection' } as const
  const late = Promise.withResolvers<typeof unknown>()
  const onItsWay = Array.from({ length: 3 }, () => breaker.guard(() => late.promise))
  for (const _ of [1, 2]) await breaker.guard(() => Promise.resolve(unknown))
  const { openedAt } = breaker.standing()
  expect(openedAt).toBeInstanceOf(Date)
  pass(300)
  late.resolve(unknown)
  await Promise.all(onItsWay)
  expect(breaker.standing()).toEqual({ state: 'halfOpen', unknowns: 5, openedAt })
  // A failed trial request lengthens the pause, and the first answer closes the breaker.
  await breaker.guard(() => Promise.resolve(unknown))
  pass(599)
  expect(breaker.isOpen()).toBe(true)
  pass(1)
  await breaker.guard(() => Promise.resolve({ result: 'done' } as const))
  expect(breaker.standing()).toEqual({ state: 'closed', unknowns: 0, openedAt: undefined })
  for (const _ of [1, 2]) await breaker.guard(() => Promise.resolve(unknown))
  pass(299)
  expect(breaker.isOpen()).toBe(true)
  pass(1)
  expect(breaker.isOpen()).toBe(false)
})
