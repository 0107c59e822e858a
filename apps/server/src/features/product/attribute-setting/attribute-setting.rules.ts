import { type DeviceAttribute } from '@wattdeck/contract/product/attribute-setting.ts'
import { attributeAccess, attributeType } from '@wattdeck/contract/product/platform-attribute.ts'
import { wireScale } from '@wattdeck/device-protocol/attribute-scale.ts'
import { missingBeside } from '@wattdeck/device-protocol/dny/attributes.ts'
import type { AttributeValues } from '@wattdeck/device-protocol/message.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'

type Wanted = { identifier: string; value: string }
type Known = Pick<
  DeviceAttribute,
  'identifier' | 'name' | 'dataType' | 'minimum' | 'maximum' | 'options' | 'access' | 'supported' | 'reported'
>

/** Why a value cannot be sent to this device, in words. */
export function writeProblem(known: readonly Known[], { identifier, value }: Wanted): string | undefined {
  const attribute = known.find((one) => one.identifier === identifier)
  if (attribute === undefined) return `属性${identifier}不在该设备的模板中`
  if (attribute.access === attributeAccess.code.read) return `${attribute.name}为只读属性`
  if (!attribute.supported || attribute.dataType === attributeType.code.text)
    return `设备协议不支持下发${attribute.name}`
  const problem = valueProblem(attribute, value)
  return problem === undefined ? undefined : `${attribute.name}：${problem}`
}

const toWire = ({ identifier, value }: Wanted): [string, number] => [
  identifier,
  Math.round(Number(value) * wireScale(identifier)),
]

/**
 * What goes out to the device. A DNY device holds its parameters in groups that are written as a whole: what is not
 * changed is sent as the device has said it to be. Undefined when it has not said so yet.
 */
export function wireValues(
  adapter: string,
  known: readonly Known[],
  wanted: readonly Wanted[],
): AttributeValues | undefined {
  const values = Object.fromEntries(wanted.map(toWire))
  if (adapter !== 'dny') return values
  const reported = new Map(known.map(({ identifier, reported: value }) => [identifier, value]))
  for (const identifier of missingBeside(values)) {
    const value = reported.get(identifier)
    if (value === undefined || value === null) return undefined
    values[identifier] = toWire({ identifier, value })[1]
  }
  return values
}
