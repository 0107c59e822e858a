import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Where a request comes from. A proxy may hand on what its client wrote, which can be anything: what is no address is
 * not believed, and the address of the connection is taken instead.
 */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  plainAddress(ip) ?? plainAddress(socket.remoteAddress ?? '') ?? '0.0.0.0'

/** Without the name of a network card, which PostgreSQL does not take; an IPv4 address inside of IPv6 as itself. */
function plainAddress(text: string): string | undefined {
  const [address = ''] = text.split('%')
  return isIP(address) === 0 ? undefined : address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** What counts as one caller: of IPv6 the network of 64 bits, which every household has to itself. */
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
 * Which proxies are believed about whom they speak for: how many stand in a row before the api, or their addresses and
 * networks. Never all: then every caller could choose the address that is counted and logged.
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
      `TRUST_PROXY is how many proxies stand before the api, 1 to 9, or their addresses and networks, as 10.0.0.0/8: not '${text}'`,
    )
  // Throws where the parts do not fit together.
  new BlockList().addSubnet(address, width, family === 4 ? 'ipv4' : 'ipv6')
}
