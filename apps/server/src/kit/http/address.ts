import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The client address of a request. A proxy may forward any text from its client. A text that is not an address is replaced
 * by the address of the connection.
 */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  plainAddress(ip) ?? plainAddress(socket.remoteAddress ?? '') ?? '0.0.0.0'

/** Removes an IPv6 zone id, which PostgreSQL rejects, and unwraps an IPv4-mapped IPv6 address. */
function plainAddress(text: string): string | undefined {
  const [address = ''] = text.split('%')
  return isIP(address) === 0 ? undefined : address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Key of a caller for rate limits. For IPv6 it is the /64 network, because a household has a whole one. */
export function callerOf(text: string): string {
  const address = plainAddress(text) ?? text
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const groups = [
    ...before,
    ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'),
    ...after,
  ]
  return `${groups.slice(0, 4).join(':')}::/64`
}

type Proxies = false | string[] | ((address: string, hop: number) => boolean)

/**
 * Trusted proxies: the number of hops before the api, or their addresses and networks. Trusting all is not possible: every
 * caller could then choose the address that is counted and logged.
 */
export function proxiesOf(text: string): Proxies {
  if (text === '' || text === 'false') return false
  if (/^[1-9]$/.test(text)) return (_, hop) => hop < Number(text)
  const networks = text.split(',').map((part) => part.trim())
  for (const network of networks) assertNetwork(network)
  return networks
}

function assertNetwork(text: string): void {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  const width = bits === undefined ? most : Number(bits)
  if (family === 0 || !Number.isInteger(width) || width < 1 || width > most)
    throw new Error(
      `TRUST_PROXY must be the number of proxies before the api, 1 to 9, or their addresses and networks, as 10.0.0.0/8, not '${text}'`,
    )
  // Throws when address and prefix do not match.
  new BlockList().addSubnet(address, width, family === 4 ? 'ipv4' : 'ipv6')
}
