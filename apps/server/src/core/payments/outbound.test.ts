import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../test/every/samples.ts'
import { Outbound } from './outbound.ts'

/** A local service that no request may reach, and a provider that redirects to it. */
let hits = 0
const canary = createServer((_, reply) => {
  hits++
  reply.end('secret')
})
const provider = createServer((request, reply) => {
  const status = Number(request.url?.slice(1))
  reply.writeHead(status, { location: `http://127.0.0.1:${port(canary)}/` }).end()
})
const port = (server: typeof canary) => (server.address() as AddressInfo).port
const listening = (server: typeof canary) =>
  new Promise<void>((resolve) => {
    server.listen(0, '::', resolve)
  })
beforeAll(() => Promise.all([listening(canary), listening(provider)]))
afterAll(() => {
  canary.close()
  provider.close()
})

const listed = 'api.mch.weixin.qq.com'
const ask = (hosts: string[], url: URL) =>
  new Outbound({ hosts, timeoutMs: 2000 }).send({ method: 'GET', url, headers: {} })

/** Spellings of loopback, private and cloud metadata addresses. */
const names = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '[fd00::1]',
  '[fe80::1]',
  '100.100.100.200',
  '１２７.0.0.1',
  '127。0。0。1',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  `${listed}@127.0.0.1`,
  `${listed}:443@127.0.0.1`,
  `127.0.0.1#@${listed}`,
  `127.0.0.1?${listed}`,
  `127.0.0.1\\@${listed}`,
  `${listed}.127.0.0.1.nip.io`,
  `${listed}.evil.example`,
  `evil-${listed}`,
]
const addresses = () =>
  names.flatMap((name) =>
    ['http', 'https'].flatMap((scheme) => {
      const [host = '', ...rest] = name.split(/(?=[#?\\])/)
      const url = URL.parse(`${scheme}://${host}:${port(canary)}/${rest.join('')}`)
      return url === null ? [] : [url]
    }),
  )

describe('an outbound request', () => {
  it('reaches listed hosts only, regardless of how another address is written', async () => {
    const tried = addresses()
    expect(tried.length).toBeGreaterThan(60)
    for (const url of tried) expect(await ask([listed], url)).toEqual({ lost: 'the address is not on the list' })
    const others = [`http://${listed}/`, `https://${listed}:8443/`, `ftp://${listed}/`, 'file:///etc/passwd', 'data:,x']
    for (const address of others)
      expect(await ask([listed], new URL(address))).toEqual({ lost: 'the address is not on the list' })
    expect(hits).toBe(0)
  })

  it('follows no redirect, not even from a listed host', async () => {
    const host = `127.0.0.1:${port(provider)}`
    for (const status of [301, 302, 303, 307, 308])
      expect(await ask([host], new URL(`http://${host}/${status}`))).toEqual({ lost: 'no connection' })
    expect(hits).toBe(0)
    // Proves that a hit on the canary is counted.
    await ask([`127.0.0.1:${port(canary)}`], new URL(`http://127.0.0.1:${port(canary)}/`))
    expect(hits).toBe(1)
  })
})

describe('a caller', () => {
  it('cannot make the server call an address: no route accepts one, and no other module fetches', () => {
    const named = allRoutes.flatMap(({ feature, name, route }) =>
      fieldsOf(route)
        .filter((field) => /ur[il]|host|endpoint|callback|webhook/i.test(field.name))
        .map((field) => `${feature}.${name} ${field.name}`),
    )
    // The address to which devices connect; the server displays it and never calls it.
    expect(named).toEqual(['dtuProtocol.add endpoint', 'dtuProtocol.edit endpoint'])
    const root = new URL('../..', import.meta.url).pathname
    const fetching = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /\bfetch\(|undici|\bhttps?\.(request|get)\(/.test(readFileSync(`${root}/${file}`, 'utf8')))
    expect(fetching.toSorted()).toEqual(['core/payments/outbound.ts', 'integrations/aliyun-sms.ts'])
  })
})
