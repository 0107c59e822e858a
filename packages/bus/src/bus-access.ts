import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { type ConnectionOptions, credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node'

/** How a process proves who it is to the bus, as paths: files are read anew at each connection, so they can be rotated. */
export type BusAccess = {
  creds?: string | undefined
  nkey?: string | undefined
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
}

export function isLoopback(host: string): boolean {
  const name = host.replaceAll(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

/** NATS_URL names one server or several of a cluster, separated by commas. The first user and password are for all. */
function parseServers(url: string) {
  const servers = url.split(',').map((one) => new URL(one.includes('://') ? one : `nats://${one}`))
  const named = servers.find(({ username }) => username !== '')
  return {
    servers: servers.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    user: named === undefined ? undefined : decodeURIComponent(named.username),
    pass: named === undefined ? undefined : decodeURIComponent(named.password),
    isLocal: servers.every(({ hostname }) => isLoopback(hostname)),
    isTls: servers.some(({ protocol }) => protocol === 'tls:'),
  }
}

/** Reads the settings of the bus, and throws where the process would speak to a bus elsewhere without a credential. */
export function readBusAccess(url: string, env: NodeJS.ProcessEnv = process.env): BusAccess {
  const path = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name])
  const access = {
    creds: path('NATS_CREDS'),
    nkey: path('NATS_NKEY'),
    ca: path('NATS_CA'),
    cert: path('NATS_CERT'),
    key: path('NATS_KEY'),
  }
  const { user, pass, isLocal } = parseServers(url)
  const hasPassword = user !== undefined && pass !== ''
  // A certificate is a credential too, where the server maps certificates to users.
  const isKnown = hasPassword || [access.creds, access.nkey, access.cert].some((one) => one !== undefined)
  if (!isLocal && !isKnown)
    throw new Error(
      'NATS_URL names a server that is not on this machine, so this process needs a credential: ' +
        'a user and password in NATS_URL, or NATS_CREDS, NATS_NKEY or NATS_CERT',
    )
  if ((access.cert === undefined) !== (access.key === undefined))
    throw new Error('NATS_CERT and NATS_KEY must be set together')
  return access
}

/** Options of a connection; the name of the process is also the prefix of its inboxes, which deploy/nats.conf grants. */
export function busOptions(url: string, { creds, nkey, ca, cert, key }: BusAccess, name?: string): ConnectionOptions {
  const { servers, user, pass, isTls } = parseServers(url)
  const hasTls = isTls || ca !== undefined || cert !== undefined
  const proof =
    creds !== undefined
      ? { authenticator: credsAuthenticator(() => readFileSync(creds)) }
      : nkey !== undefined
        ? { authenticator: nkeyAuthenticator(() => Buffer.from(readFileSync(nkey, 'utf8').trim())) }
        : user === undefined
          ? {}
          : { user, pass: pass ?? '' }
  return {
    servers,
    ...proof,
    ...(name === undefined ? {} : { name: `wattdeck-${name}`, inboxPrefix: `_INBOX_${name}` }),
    ...(hasTls
      ? { tls: { ...(ca && { caFile: ca }), ...(cert && { certFile: cert }), ...(key && { keyFile: key }) } }
      : {}),
  }
}
