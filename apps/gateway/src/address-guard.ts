import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { Counter } from 'prom-client'

const refused = new Counter({
  name: 'gateway_refused_sockets_total',
  help: 'Sockets of DNY and YKC devices closed on connect',
  labelNames: ['reason'] as const,
})

/** Prefix of an IPv4-mapped IPv6 address (RFC 4291). */
const mapped = '::ffff:'
export const plainAddress = (address: string | undefined): string =>
  address?.startsWith(mapped) === true && isIPv4(address.slice(mapped.length))
    ? address.slice(mapped.length)
    : (address ?? '')

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined)
const maxBits = { ipv4: 32, ipv6: 128 } as const

/**
 * Parses a list such as `10.0.0.0/8,fd00::/8`. Throws on any other text and on an empty list, which stops the process
 * at its start.
 */
export function parseNetworks(text: string): BlockList {
  const networks = new BlockList()
  for (const network of text.split(',').map((part) => part.trim())) {
    const [address = '', bits = ''] = network.split('/')
    const family = familyOf(address)
    if (family === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > maxBits[family])
      throw new Error(`'${network}' is not a network in CIDR notation`)
    networks.addSubnet(address, Number(bits), family)
  }
  return networks
}

const windowMs = 60_000
const maxStrangers = 20
const blockMs = 600_000
const maxRemembered = 100_000

type Strangers = { numbers: Set<string>; sinceMs: number; blockedUntilMs: number }

/**
 * Admission control for protocols without cryptography. Only listed networks may connect, and sockets per address are
 * limited. An address that reports many numbers of unknown devices is blocked for ten minutes.
 */
export class AddressGuard {
  readonly #networks: BlockList
  readonly #maxSockets: number
  readonly #sockets = new Map<string, number>()
  readonly #strangers = new Map<string, Strangers>()

  constructor(networks: BlockList, maxSockets: number) {
    this.#networks = networks
    this.#maxSockets = maxSockets
  }

  /** Whether the guard admits a new socket of this address. The caller must call `closed` for every admitted socket. */
  open(address: string): boolean {
    const reason = this.#refusal(address)
    if (reason !== undefined) {
      refused.inc({ reason })
      return false
    }
    this.#sockets.set(address, (this.#sockets.get(address) ?? 0) + 1)
    return true
  }

  closed(address: string): void {
    const remaining = (this.#sockets.get(address) ?? 0) - 1
    if (remaining > 0) this.#sockets.set(address, remaining)
    else this.#sockets.delete(address)
  }

  isBlocked(address: string): boolean {
    return (this.#strangers.get(address)?.blockedUntilMs ?? 0) > Date.now()
  }

  /** Counts distinct numbers, so an unregistered device that keeps reconnecting does not block its address. */
  countStranger(address: string, number: string): void {
    const nowMs = Date.now()
    const before = this.#strangers.get(address)
    if (before === undefined && this.#strangers.size >= maxRemembered) this.#strangers.clear()
    const isRecent = before !== undefined && nowMs - before.sinceMs < windowMs
    const counted = isRecent ? before : { numbers: new Set<string>(), sinceMs: nowMs, blockedUntilMs: 0 }
    this.#strangers.set(address, counted)
    counted.numbers.add(number)
    if (counted.numbers.size < maxStrangers) return
    this.#strangers.set(address, { numbers: new Set(), sinceMs: nowMs, blockedUntilMs: nowMs + blockMs })
  }

  #refusal(address: string): 'network' | 'strangers' | 'sockets' | undefined {
    const family = familyOf(address)
    if (family === undefined || !this.#networks.check(address, family)) return 'network'
    if (this.isBlocked(address)) return 'strangers'
    return (this.#sockets.get(address) ?? 0) >= this.#maxSockets ? 'sockets' : undefined
  }
}
