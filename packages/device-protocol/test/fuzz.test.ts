import { describe, expect, it } from 'vitest'
import { fuzzDny, fuzzMqttJson, fuzzOcpp, fuzzYkc } from './fuzz.ts'

const count = 20_000

describe.each([
  ['DNY', fuzzDny],
  ['JSON over MQTT', fuzzMqttJson],
  ['OCPP', fuzzOcpp],
  ['YKC', fuzzYkc],
])('%s', (_, fuzz) => {
  it(`reads ${count} malformed frames without an exception, and decodes the valid ones`, () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const tally = fuzz.read(fuzz.make(count, seed))
    expect(tally.read, `seed ${seed}`).toBeGreaterThan(count / 6)
    expect(tally.refused, `seed ${seed}`).toBeGreaterThan(100)
  }, 20_000)
})
