import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fuzzDny, fuzzMqttJson, fuzzOcpp, fuzzYkc, type Fuzz } from '../packages/device-protocol/test/fuzz.ts'

const batches = 50
const framesInBatch = 20_000
const maxGrowthMb = 50

/** A million random and mutated frames for each protocol: nothing throws, nothing is kept, and how fast it is. */
export function benchFrames(): void {
  bench('dny', fuzzDny)
  bench('mqtt-json', fuzzMqttJson)
  bench('ocpp16', fuzzOcpp)
  bench('ykc', fuzzYkc)
}

function bench(name: string, fuzz: Fuzz): void {
  // Compiled before anything counts.
  fuzz.read(fuzz.make(framesInBatch, 0))
  const before = usedMb()
  const total = { read: 0, refused: 0, ms: 0 }
  for (let batch = 1; batch <= batches; batch++) {
    const made = fuzz.make(framesInBatch, batch)
    const startedAt = performance.now()
    const { read, refused } = fuzz.read(made)
    total.ms += performance.now() - startedAt
    total.read += read
    total.refused += refused
  }
  const frames = batches * framesInBatch
  const grownMb = usedMb() - before
  console.log(
    `${name}: ${frames} frames, ${total.read} read, ${total.refused} refused, none threw; ` +
      `${((frames / total.ms) * 1000).toFixed(0)} frames/s, each read as up and as down; heap ${grownMb.toFixed(1)} MB more`,
  )
  if (grownMb > maxGrowthMb) throw new Error(`${name} kept ${grownMb.toFixed(0)} MB, more than ${maxGrowthMb}`)
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function usedMb(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 ** 2
}
