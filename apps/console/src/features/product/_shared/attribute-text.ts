import { attributeType, type PlatformAttribute } from '@wattdeck/contract/product/platform-attribute.ts'

type Shape = Pick<PlatformAttribute, 'dataType' | 'minimum' | 'maximum' | 'options'>

/** Which values an attribute takes, in a few words; empty where there is nothing to say. */
export function rangeText({ dataType, minimum, maximum, options }: Shape): string {
  if (dataType === attributeType.code.choice) return options.map((option) => option.label).join('、')
  if (minimum !== null && maximum !== null) return `${minimum} ~ ${maximum}`
  if (minimum !== null) return `≥ ${minimum}`
  return maximum === null ? '' : `≤ ${maximum}`
}

/** A value as people read it: a choice by its label, a switch by its word. */
export function valueText({ dataType, options }: Shape, value: string | null): string {
  if (value === null) return ''
  if (dataType === attributeType.code.onOff) return value === '1' ? '开' : '关'
  if (dataType === attributeType.code.choice) return options.find((option) => option.value === value)?.label ?? value
  return value
}

/** What a value is chosen from; undefined where it is typed. */
export function choicesOf({ dataType, options }: Shape): { value: string; label: string }[] | undefined {
  if (dataType === attributeType.code.choice) return options
  if (dataType !== attributeType.code.onOff) return undefined
  return [
    { value: '1', label: '开' },
    { value: '0', label: '关' },
  ]
}
