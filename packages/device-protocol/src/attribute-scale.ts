import { dnyAttributeGroups } from './dny/attributes.ts'

const attributes = new Map(
  dnyAttributeGroups.flatMap((group) =>
    group.attributes.map((attribute) => [attribute.identifier, attribute] as const),
  ),
)

/** People read and write whole units; on the wire some attributes count in tenths, in every protocol the same ones. */
export const wireScale = (identifier: string): number =>
  attributes.get(identifier)?.unit.startsWith('0.1') === true ? 10 : 1

/** Whether a device that speaks this can be asked for an attribute. Keys are not shown to anybody. */
export function canHold(adapter: string, identifier: string): boolean {
  const known = attributes.get(identifier)
  if (known?.secret === true) return false
  // A charge point says itself which keys it knows.
  return adapter === 'mqtt-json' || adapter === 'ocpp16' || (adapter === 'dny' && known !== undefined)
}
