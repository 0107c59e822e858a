import { describe, expect, it } from 'vitest'
import { busOptions, isLoopback, readBusAccess } from '../src/bus-access.ts'

describe('a host', () => {
  it.each(['127.0.0.1', '127.8.9.1', 'localhost', '::1', '[::1]'])('%s is this machine', (host) => {
    expect(isLoopback(host)).toBe(true)
  })
  it.each(['0.0.0.0', '10.0.0.1', '127.0.0.1.example', '127.example', 'localhost.example', '::', ''])(
    '%s is not',
    (host) => {
      expect(isLoopback(host)).toBe(false)
    },
  )
})

describe('a credential', () => {
  const far = 'nats://bus.example:4222'
  it.each<[string, string, NodeJS.ProcessEnv]>([
    ['nothing', far, {}],
    ['a user without a password', 'nats://api@bus.example', {}],
    ['only an authority', far, { NATS_CA: '/ca.pem' }],
    ['empty settings', far, { NATS_CREDS: '', NATS_NKEY: '' }],
    ['nothing for one server of a cluster', `nats://127.0.0.1:4222,${far}`, {}],
  ])('[attack.H4] is missing off this machine with %s', (_, url, env) => {
    expect(() => readBusAccess(url, env)).toThrow(/needs a credential/)
  })

  it.each<[string, string, NodeJS.ProcessEnv]>([
    ['a password', 'nats://api:secret@bus.example', {}],
    ['a credentials file', far, { NATS_CREDS: '/api.creds' }],
    ['a seed', far, { NATS_NKEY: '/api.nk' }],
    ['a certificate', far, { NATS_CERT: '/api.pem', NATS_KEY: '/api.key' }],
  ])('is %s', (_, url, env) => {
    expect(() => readBusAccess(url, env)).not.toThrow()
  })

  it('is not needed on this machine', () => {
    expect(readBusAccess('nats://127.0.0.1:4222', {})).toMatchObject({ creds: undefined, nkey: undefined })
  })

  it('that is half a pair of files is refused', () => {
    expect(() => readBusAccess('nats://127.0.0.1:4222', { NATS_CERT: '/api.pem' })).toThrow(/set together/)
  })
})

describe('options', () => {
  it('take user and password out of the address, with whatever characters', () => {
    expect(busOptions('nats://api:p%40ss%3A%2F@bus.example', {}, 'api')).toEqual({
      servers: ['bus.example:4222'],
      user: 'api',
      pass: 'p@ss:/',
      name: 'wattdeck-api',
      inboxPrefix: '_INBOX_api',
    })
  })

  it('name all servers of a cluster, with one user', () => {
    expect(busOptions('nats://api:x@one:4001,nats://two:4002', {})).toEqual({
      servers: ['one:4001', 'two:4002'],
      user: 'api',
      pass: 'x',
    })
  })

  it('ask for TLS where an authority, a certificate or the scheme says so, and not otherwise', () => {
    expect(busOptions('nats://one', { ca: '/ca.pem' }).tls).toEqual({ caFile: '/ca.pem' })
    expect(busOptions('nats://one', { cert: '/c.pem', key: '/c.key' }).tls).toEqual({
      certFile: '/c.pem',
      keyFile: '/c.key',
    })
    expect(busOptions('tls://one', {}).tls).toEqual({})
    expect(busOptions('nats://one', {}).tls).toBeUndefined()
  })
})
