import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newNo, payAsk } from '../../server/test/fixtures/pay-asks.ts'
import { WechatProvider } from '../../server/src/core/payments/providers/wechat/wechat-provider.ts'

const folder = mkdtempSync(join(tmpdir(), 'pay-sandbox-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Starts the sandbox as its own process, on a free port. */
async function start() {
  const env = { ...process.env, PAY_SANDBOX_PORT: '0', PAY_SANDBOX_FILE: join(folder, 'sandbox.json') }
  const child = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], { env })
  children.push(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /http:\S+/.exec(said.toString())?.[0] ?? ''
  const post = async (path: string, body: object) => {
    const reply = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
    return { status: reply.status, said: (await reply.json()) as Record<string, string> }
  }
  const get = async (path: string) => (await fetch(url + path)).json()
  return { child, url, post, get }
}

test('serves every operation over HTTP, and keeps keys and merchants across a restart', async () => {
  const first = await start()
  const { said: merchant } = await first.post('/sandbox/merchants', { provider: 'wechat', rateE4: 38 })
  const { merchantNo = '', appId = '', certSerial = '', privateKey = '', apiV3Key = '' } = merchant
  const { wechat: providerKeys } = (await first.get('/sandbox/keys')) as { wechat: Record<string, string> }
  const setting = { merchantNo, appId, certSerial, privateKey, apiV3Keys: [apiV3Key], providerKeys }
  const provider = new WechatProvider({ ...setting, url: first.url })
  const request = payAsk('http://127.0.0.1:1/notice')
  const paying = await provider.pay(request)
  if (paying.result !== 'done' || !('codeUrl' in paying.handle)) throw new Error('no code')

  expect(await (await fetch(first.url)).text()).toContain(request.payNo)
  expect(await first.post('/sandbox/pay', paying.handle)).toMatchObject({ status: 200, said: { payNo: request.payNo } })
  expect(await first.post('/sandbox/pay', paying.handle)).toEqual({ status: 409, said: { why: 'paid' } })
  expect(await provider.query(request.payNo)).toMatchObject({ payment: { state: 'paid' } })
  await first.post('/sandbox/behave', { merchantNo, faults: { busy: true } })
  expect(await provider.query(request.payNo)).toMatchObject({ result: 'unknown' })
  await first.post('/sandbox/rotate', { provider: 'wechat' })

  await new Promise((resolve) => setTimeout(resolve, 1500))
  first.child.kill('SIGKILL')
  const second = await start()
  const { wechat: bothKeys } = (await second.get('/sandbox/keys')) as { wechat: Record<string, string> }
  expect(Object.keys(bothKeys)).toHaveLength(2)
  const again = new WechatProvider({ ...setting, url: second.url, providerKeys: bothKeys })
  expect(await again.query(newNo())).toMatchObject({ result: 'refused', absent: true })
})
