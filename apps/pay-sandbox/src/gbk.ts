let codes: Map<string, number> | undefined

/** TextEncoder does not support GBK, so the table is built by decoding every pair of bytes. */
function table(): Map<string, number> {
  if (codes !== undefined) return codes
  codes = new Map()
  const decoder = new TextDecoder('gbk')
  for (let high = 0x81; high <= 0xfe; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      const letters = decoder.decode(Uint8Array.of(high, low))
      if (letters.length === 1 && letters !== '\uFFFD' && !codes.has(letters)) codes.set(letters, high * 256 + low)
    }
  }
  return codes
}

export function toGbk(text: string): Buffer {
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter < '\u0080' ? letter.charCodeAt(0) : (table().get(letter) ?? 0x3f)
    if (code > 255) bytes.push(code >> 8)
    bytes.push(code & 255)
  }
  return Buffer.from(bytes)
}
