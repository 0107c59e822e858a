import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFrame } from '../src/ykc/frame.ts'
import { frames, maxPendingBytes, newStream } from '../src/ykc/stream.ts'
import { bytes, value } from './samples.ts'

const frame = (seq: number, body: number[] = []) => value(makeFrame(seq, 0x03, body)).bytes
const join = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

function feed(chunks: Uint8Array[]) {
  const stream = newStream()
  const seqs = chunks.flatMap((chunk) => {
    const received = frames(stream, chunk)
    expect(stream.pending.length).toBeLessThanOrEqual(maxPendingBytes)
    return received.map(({ seq }) => seq)
  })
  return { seqs, stream }
}

const whole = join(frame(1, [1, 2, 3]), frame(2), frame(3, [0x68, 0x04, 0x68]), frame(4, [0x68]))

describe('YKC stream parser', () => {
  it('splits a chunk of several frames', () => {
    const { seqs, stream } = feed([whole])
    expect(seqs).toEqual([1, 2, 3, 4])
    expect(stream).toMatchObject({ skippedBytes: 0, badCrcs: 0, pending: new Uint8Array() })
  })

  it('yields the same frames for every split into two chunks, and byte by byte', () => {
    for (let at = 0; at <= whole.length; at++)
      expect(feed([whole.subarray(0, at), whole.subarray(at)]).seqs).toEqual([1, 2, 3, 4])
    expect(feed([...whole].map((byte) => Uint8Array.of(byte))).seqs).toEqual([1, 2, 3, 4])
  })

  it('yields the same frames for any content and any chunk boundaries', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(frame(1), frame(2, [7]), bytes('68'), bytes('68c8'), bytes('6804')),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(300)), (pieces, cuts) => {
        const all = join(...pieces)
        const places = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length]
        const chunks = places.slice(1).map((end, at) => all.subarray(places[at], end))
        expect(feed(chunks)).toEqual(feed([all]))
      }),
    )
  })

  it('finds a frame whose bytes a broken frame claims', () => {
    const { seqs, stream } = feed([join(bytes('6810 0000'), frame(5, [1, 2, 3]), frame(6, [1, 2, 3, 4, 5]))])
    expect(seqs).toEqual([5, 6])
    expect(stream).toMatchObject({ skippedBytes: 4, badCrcs: 1 })
  })

  it.each(['6803', '6800', '68c9', '68ff'])('rejects the length in %s without waiting for more bytes', (hex) => {
    const { seqs, stream } = feed([join(bytes(hex), frame(9))])
    expect(seqs).toEqual([9])
    expect(stream.pending).toHaveLength(0)
  })

  it('buffers at most one unfinished frame of at most 204 bytes', () => {
    const { seqs, stream } = feed(Array.from({ length: 50 }, () => join(bytes('68c8'), new Uint8Array(1000))))
    expect(seqs).toEqual([])
    expect(stream.pending.length).toBeLessThanOrEqual(203)
    expect(
      value(
        makeFrame(
          1,
          1,
          Array.from({ length: 196 }, () => 1),
        ),
      ).bytes,
    ).toHaveLength(204)
    expect(
      makeFrame(
        1,
        1,
        Array.from({ length: 197 }, () => 1),
      ),
    ).toMatchObject({ ok: false })
  })

  it('retains no reference to the chunk', () => {
    const stream = newStream()
    const chunk = Buffer.from(join(frame(1, [5]), frame(2).subarray(0, 6)))
    const [received] = frames(stream, chunk)
    chunk.fill(0)
    expect(received).toMatchObject({ bytes: frame(1, [5]), body: Uint8Array.of(5) })
    expect(frames(stream, frame(2).subarray(6)).map(({ seq }) => seq)).toEqual([2])
  })
})
