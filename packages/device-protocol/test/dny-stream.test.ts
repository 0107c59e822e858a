import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFrame } from '../src/dny/frame.ts'
import { frames, maxPendingBytes, newStream, type DnyItem } from '../src/dny/stream.ts'
import { greeting, linkBytes } from '../src/dny/up.ts'
import { bytes, value } from './samples.ts'

const iccid = '898604E81023C0963731'
const frame = (messageId: number, data: number[] = []) =>
  value(makeFrame({ physicalId: 0x04ceaa40, messageId }, 0x21, data)).bytes
const join = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const ids = (items: DnyItem[]) => items.map((item) => (item.kind === 'frame' ? item.frame.messageId : item.kind))

function feed(chunks: Uint8Array[]) {
  const stream = newStream()
  const items = chunks.flatMap((chunk) => {
    const completed = frames(stream, chunk)
    expect(stream.pending.length).toBeLessThanOrEqual(maxPendingBytes)
    return completed
  })
  return { items, stream }
}

const whole = join(greeting(iccid), frame(1, [1, 2, 3]), linkBytes, frame(2), frame(3, [0x44, 0x4e, 0x59]), linkBytes)

describe('DNY stream parser', () => {
  it('splits a chunk of greeting, frames and link messages', () => {
    const { items, stream } = feed([whole])
    expect(ids(items)).toEqual(['iccid', 1, 'link', 2, 3, 'link'])
    expect(items[0]).toEqual({ kind: 'iccid', iccid })
    expect(stream).toMatchObject({ skippedBytes: 0, badSums: 0, pending: new Uint8Array() })
  })

  it('yields the same items for every split into two chunks', () => {
    const { items } = feed([whole])
    for (let at = 0; at <= whole.length; at++)
      expect(feed([whole.subarray(0, at), whole.subarray(at)]).items).toEqual(items)
  })

  it('yields the same items byte by byte', () => {
    expect(feed([...whole].map((byte) => Uint8Array.of(byte))).items).toEqual(feed([whole]).items)
  })

  it('yields the same items for any content and any chunk boundaries', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(frame(1), frame(2, [7]), linkBytes, greeting(iccid), bytes('444e59'), bytes('444e59ff00')),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(300)), (pieces, cuts) => {
        const all = join(...pieces)
        const places = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length]
        const chunks = places.slice(1).map((end, at) => all.subarray(places[at], end))
        const [cut, uncut] = [feed(chunks), feed([all])]
        expect(cut.items).toEqual(uncut.items)
        expect(cut.stream).toEqual(uncut.stream)
      }),
    )
  })

  it('finds the next frame after garbage', () => {
    const { items, stream } = feed([
      join([1, 2, 0x44, 0x4e], frame(1), [0x6c, 0x69], frame(2), [0x38, 0x39, 0x38, 0x36, 0]),
    ])
    expect(ids(items)).toEqual([1, 2])
    expect(stream).toMatchObject({ skippedBytes: 11, badSums: 0 })
  })

  it('finds a frame whose bytes a broken frame claims', () => {
    const broken = join(bytes('444e59 1400 40aace04'), frame(5))
    const { items, stream } = feed([broken, frame(6)])
    expect(ids(items)).toEqual([5, 6])
    expect(stream).toMatchObject({ skippedBytes: 9, badSums: 1 })
  })

  it.each(['444e59ffff', '444e590800', '444e590000', '444e59fc00'])(
    'rejects the length in %s without waiting for more bytes',
    (hex) => {
      const { items, stream } = feed([join(bytes(hex), frame(9))])
      expect(ids(items)).toEqual([9])
      expect(stream.pending).toHaveLength(0)
    },
  )

  it('buffers at most one unfinished frame', () => {
    const endless = Array.from({ length: 50 }, () => join(bytes('444e59fb00'), new Uint8Array(1000)))
    const { items, stream } = feed(endless)
    expect(items).toEqual([])
    expect(stream.pending.length).toBeLessThanOrEqual(maxPendingBytes)
  })

  it('retains no reference to the chunk', () => {
    const stream = newStream()
    const chunk = Buffer.from(join(frame(1, [5]), frame(2).subarray(0, 6)))
    const [item] = frames(stream, chunk)
    chunk.fill(0)
    expect(item).toMatchObject({ frame: { bytes: frame(1, [5]), data: Uint8Array.of(5) } })
    expect(ids(frames(stream, frame(2).subarray(6)))).toEqual([2])
  })
})
