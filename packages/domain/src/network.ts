/** An address as an integer, with the width of its family in bits. */
type Address = { value: bigint; width: 32 | 128 }

function addressOf(text: string): Address | undefined {
  if (!text.includes(':')) return ipv4Of(text)
  const value = ipv6Of(text)
  return value === undefined ? undefined : { value, width: 128 }
}

function ipv4Of(text: string): Address | undefined {
  const parts = text.split('.')
  // A leading zero means octal to some parsers and decimal to others.
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined
  return { value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n), width: 32 }
}

function ipv6Of(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return groups.reduce((sum, group) => sum * 0x1_00_00n + BigInt(`0x${group}`), 0n)
}

/**
 * Whether a text is an IPv4 or IPv6 address, or a network in CIDR notation without host bits. PostgreSQL refuses a network
 * with host bits, and such a text is usually a mistyped prefix. A prefix of 0 would admit every address.
 */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const found = addressOf(address)
  if (found === undefined || rest.length > 0) return false
  if (prefix === undefined) return true
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > found.width) return false
  return found.value % 2n ** BigInt(found.width - Number(prefix)) === 0n
}
