import { attributeType, type PlatformAttribute } from '@wattdeck/contract/product/platform-attribute.ts'

type Shape = Pick<PlatformAttribute, 'dataType' | 'minimum' | 'maximum' | 'options'>

/** The values that an attribute allows, as a short text; empty when there is no restriction. */
export function rangeText({ dataType, minimum, maximum, options }: Shape): string {
  if (dataType === attributeType.code.choice) return options.map((option) => option.label).join('、')
  if (minimum !== null && maximum !== null) return `${minimum} ~ ${maximum}`
  if (minimum !== null) return `≥ ${minimum}`
  return maximum === null ? '' : `≤ ${maximum}`
}

/** A formatted value: a choice by its label, a switch by its state. */
export function valueText({ dataType, options }: Shape, value: string | null): string {
  if (value === null) return ''
  if (dataType === attributeType.code.onOff) return value === '1' ? '开' : '关'
  if (dataType === attributeType.code.choice) return options.find((option) => option.value === value)?.label ?? value
  return value
}

/** A formatted measurement: seconds become hours or minutes when they are whole. */
export function quantityText(value: string, unit: string | null): string {
  const seconds = unit === 's' && /^\d+$/.test(value) ? Number(value) : 0
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600} 小时`
  if (seconds > 0 && seconds % 60 === 0) return `${seconds / 60} 分钟`
  return unit === null || unit === '' ? value : `${value} ${unit === 's' ? '秒' : unit}`
}

/** A negated switch is hard to read: 「关闭二维码灯：1」 becomes 「二维码灯：关闭」. */
export function parameterText(label: string, value: string, unit: string | null): { label: string; text: string } {
  const what = /^关闭(.+)$/.exec(label)?.[1]
  if (what !== undefined && (value === '0' || value === '1'))
    return { label: what, text: value === '1' ? '关闭' : '开启' }
  return { label, text: quantityText(value, unit) }
}

/** The choices of a value; undefined for free input. */
export function choicesOf({ dataType, options }: Shape): { value: string; label: string }[] | undefined {
  if (dataType === attributeType.code.choice) return options
  if (dataType !== attributeType.code.onOff) return undefined
  return [
    { value: '1', label: '开' },
    { value: '0', label: '关' },
  ]
}
