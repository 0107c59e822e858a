import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liveStateAfter, liveStateText, reconnectDelayMs, parseEvents } from './sse.ts'

/** The events when the text arrives in these pieces. */
function eventsOf(pieces: readonly string[]): string[] {
  const events: string[] = []
  let rest = ''
  for (const piece of pieces) {
    const parsed = parseEvents(rest + piece)
    rest = parsed.rest
    events.push(...parsed.events)
  }
  return events
}
const stream = 'data: {"kind":"hello"}\n\n: beat\n\ndata: 一\ndata: 二\n\nid: 4\nevent: x\ndata:{"a":1}\n\n'
const expected = ['{"kind":"hello"}', '一\n二', '{"a":1}']

describe('events of a stream', () => {
  it('are parsed whole; a heartbeat is not an event', () => expect(eventsOf([stream])).toEqual(expected))

  it('are parsed with Windows line ends', () => {
    expect(eventsOf([stream.replaceAll('\n', '\r\n')])).toEqual(expected)
  })

  it('are parsed wherever the text is cut, with either line end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length * 2)), fc.boolean(), (cuts, windows) => {
        const text = windows ? stream.replaceAll('\n', '\r\n') : stream
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end))
        expect(eventsOf(pieces)).toEqual(expected)
      }),
    )
  })

  it('wait for their end', () => {
    expect(parseEvents('data: a\n\ndata: b\n')).toEqual({ events: ['a'], rest: 'data: b\n' })
  })
})

describe('a lost stream', () => {
  it('is reconnected after 1, 2, 4 … 30 seconds, half of it random', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((failures) => reconnectDelayMs(failures, 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
    expect(reconnectDelayMs(6, 0)).toBe(15_000)
  })

  it('is replaced by polling, and shown as disconnected after five failures', () => {
    expect([1, 4, 5, 9].map((failures) => liveStateText[liveStateAfter(failures)])).toEqual([
      '轮询',
      '轮询',
      '已断开',
      '已断开',
    ])
  })
})
