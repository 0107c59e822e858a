import { type DeviceAttribute } from '@wattdeck/contract/product/attribute-setting.ts'
import { attributeAccess, attributeType } from '@wattdeck/contract/product/platform-attribute.ts'
import { wireScale } from '@wattdeck/device-protocol/attribute-scale.ts'
import { missingBeside } from '@wattdeck/device-protocol/dny/attributes.ts'
import type { AttributeValues } from '@wattdeck/device-protocol/message.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'

type AttributeChange = { identifier: string; value: string }
type TemplateAttribute = Pick<
  DeviceAttribute,
  'identifier' | 'name' | 'dataType' | 'minimum' | 'maximum' | 'options' | 'access' | 'supported' | 'reported'
>

/** Why a value cannot be sent to this device, as text. */
export function writeProblem(
  attributes: readonly TemplateAttribute[],
  { identifier, value }: AttributeChange,
): string | undefined {
  const attribute = attributes.find((one) => one.identifier === identifier)
  if (attribute === undefined) return `属性${identifier}不在该设备的模板中`
  if (attribute.access === attributeAccess.code.read) return `${attribute.name}为只读属性`
  if (!attribute.supported || attribute.dataType === attributeType.code.text)
    return `设备协议不支持下发${attribute.name}`
  const problem = valueProblem(attribute, value)
  return problem === undefined ? undefined : `${attribute.name}：${problem}`
}

const toWire = ({ identifier, value }: AttributeChange): [string, number] => [
  identifier,
  Math.round(Number(value) * wireScale(identifier)),
]

/**
 * The values to send. A DNY device stores parameters in groups that are written as a whole, so unchanged ones are sent as last reported.
 * Undefined where one was never reported.
 */
export function wireValues(
  adapter: string,
  attributes: readonly TemplateAttribute[],
  changes: readonly AttributeChange[],
): AttributeValues | undefined {
  const values = Object.fromEntries(changes.map(toWire))
  if (adapter !== 'dny') return values
  const reported = new Map(attributes.map(({ identifier, reported: value }) => [identifier, value]))
  for (const identifier of missingBeside(values)) {
    const value = reported.get(identifier)
    if (value === undefined || value === null) return undefined
    values[identifier] = toWire({ identifier, value })[1]
  }
  return values
}
