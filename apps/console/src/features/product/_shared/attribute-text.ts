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

/** A measured value as people read it: seconds in hours or minutes where they are whole ones. */
export function quantityText(value: string, unit: string | null): string {
  const seconds = unit === 's' && /^\d+$/.test(value) ? Number(value) : 0
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600} 小时`
  if (seconds > 0 && seconds % 60 === 0) return `${seconds / 60} 分钟`
  return unit === null || unit === '' ? value : `${value} ${unit === 's' ? '秒' : unit}`
}

/** 「关闭二维码灯：1」 says twice what is off: it reads 「二维码灯：关闭」. */
export function parameterText(label: string, value: string, unit: string | null): { label: string; text: string } {
  const what = /^关闭(.+)$/.exec(label)?.[1]
  if (what !== undefined && (value === '0' || value === '1'))
    return { label: what, text: value === '1' ? '关闭' : '开启' }
  return { label, text: quantityText(value, unit) }
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
