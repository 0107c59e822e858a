import fc from 'fast-check'
import schemas from 'ocpp-rpc/lib/schemas/ocpp1_6.json' with { type: 'json' }

/** Payloads generated from the published schemas of the standard: valid and nearly valid ones. */
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
  const match = byId.get(`urn:${action}.${side}`)
  if (match === undefined) throw new Error(`the standard has no ${action}.${side}`)
  return match
}

const times = ['2026-11-15T08:00:00Z', '2026-11-15T08:00:00.123Z', '2024-02-29T23:59:59+08:00', '1999-12-31T00:00:00Z']
/** Fields that are not validated: the platform sends no charging profile. */
const skipped = new Set(['chargingProfile'])

function sound(schema: Json, name = ''): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.format === 'date-time') return fc.constantFrom(...times)
  if (schema.type === 'string') {
    const length = Math.min(schema.maxLength ?? 300, 300)
    return fc.oneof(fc.string({ maxLength: length, unit: 'grapheme' }), fc.constant('é'.repeat(length)))
  }
  // Connector 0 is the whole charge point, which some calls exclude.
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

/** At most one field is changed, to a value that may be invalid. */
const oddValues = [null, true, 0.5, '', 'x'.repeat(600), 'Nonsense', [], {}, [{}], '2026-13-01T00:00:00Z', 'yesterday']
export const nearly = (action: string, side: 'req' | 'conf'): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      payload(action, side),
      fc.nat(),
      fc.constantFrom('keep', 'drop', 'add', 'replace'),
      fc.constantFrom(...oddValues),
    )
    .map(([valid, place, how, odd]) => {
      const keys = Object.keys(valid)
      const key = keys[place % Math.max(1, keys.length)] ?? ''
      if (how === 'add') return { ...valid, extra: odd }
      if (how === 'keep' || key === '') return valid
      const { [key]: _dropped, ...rest } = valid
      return how === 'drop' ? rest : { ...rest, [key]: odd }
    })
