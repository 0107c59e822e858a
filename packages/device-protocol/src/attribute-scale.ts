import { dnyAttributeGroups } from './dny/attributes.ts'

const attributes = new Map(
  dnyAttributeGroups.flatMap((group) =>
    group.attributes.map((attribute) => [attribute.identifier, attribute] as const),
  ),
)

/** The console uses whole units; on the wire some attributes count in tenths, the same ones in every protocol. */
export const wireScale = (identifier: string): number =>
  attributes.get(identifier)?.unit.startsWith('0.1') === true ? 10 : 1

/** Whether an attribute can be read from a device of this adapter. Secret keys cannot. */
export function canHold(adapter: string, identifier: string): boolean {
  const definition = attributes.get(identifier)
  if (definition?.secret === true) return false
  // A charge point reports which keys it has.
  return adapter === 'mqtt-json' || adapter === 'ocpp16' || (adapter === 'dny' && definition !== undefined)
}
