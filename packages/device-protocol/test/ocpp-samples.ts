import fc from 'fast-check'
import schemas from 'ocpp-rpc/lib/schemas/ocpp1_6.json' with { type: 'json' }

/** Payloads made of the schemas that the standard publishes, right ones and such as are nearly right. */
type Json = {
  $id?: string
  type?: string
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  enum?: string[]
  maxLength?: number
  format?: string
}
const byId = new Map((schemas as Json[]).map((schema) => [schema.$id, schema]))
const schemaOf = (action: string, side: 'req' | 'conf'): Json => {
  const found = byId.get(`urn:${action}.${side}`)
  if (found === undefined) throw new Error(`the standard has no ${action}.${side}`)
  return found
}

const times = ['2026-11-15T08:00:00Z', '2026-11-15T08:00:00.123Z', '2024-02-29T23:59:59+08:00', '1999-12-31T00:00:00Z']
/** What we do not check: no charge point of ours is sent a profile. */
const skipped = new Set(['chargingProfile'])

function sound(schema: Json, name = ''): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.format === 'date-time') return fc.constantFrom(...times)
  if (schema.type === 'string') {
    const length = Math.min(schema.maxLength ?? 300, 300)
    return fc.oneof(fc.string({ maxLength: length, unit: 'grapheme' }), fc.constant('é'.repeat(length)))
  }
  // A connector 0 is the whole charge point, which some calls are never about.
  if (schema.type === 'integer') return name === 'connectorId' ? fc.integer({ min: 1, max: 255 }) : int32
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(sound(schema.items ?? {}), { maxLength: 3 })
  if (schema.type !== 'object') return fc.constant({})
  const entries = Object.entries(schema.properties ?? {}).filter(([key]) => !skipped.has(key))
  const fields = Object.fromEntries(entries.map(([key, field]) => [key, sound(field, key)]))
  return fc.record(fields, { requiredKeys: schema.required ?? [], noNullPrototype: true })
}
const int32 = fc.integer({ min: -0x7fff_ffff, max: 0x7fff_ffff })

export const payload = (action: string, side: 'req' | 'conf'): fc.Arbitrary<Record<string, unknown>> =>
  sound(schemaOf(action, side)) as fc.Arbitrary<Record<string, unknown>>

/** One thing is wrong with it, or maybe nothing. */
const oddValues = [null, true, 0.5, '', 'x'.repeat(600), 'Nonsense', [], {}, [{}], '2026-13-01T00:00:00Z', 'yesterday']
export const nearly = (action: string, side: 'req' | 'conf'): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      payload(action, side),
      fc.nat(),
      fc.constantFrom('keep', 'drop', 'add', 'replace'),
      fc.constantFrom(...oddValues),
    )
    .map(([made, place, how, odd]) => {
      const keys = Object.keys(made)
      const key = keys[place % Math.max(1, keys.length)] ?? ''
      if (how === 'add') return { ...made, extra: odd }
      if (how === 'keep' || key === '') return made
      const { [key]: _dropped, ...rest } = made
      return how === 'drop' ? rest : { ...rest, [key]: odd }
    })
