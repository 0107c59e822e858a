/** Attributes of devices: which values they take. */
export const attributeTypeCode = { integer: 1, decimal: 2, choice: 3, onOff: 4, text: 5 } as const
export type AttributeTypeCode = (typeof attributeTypeCode)[keyof typeof attributeTypeCode]

export type AttributeOption = { value: string; label: string }
export type AttributeRange = {
  dataType: number
  minimum: number | null
  maximum: number | null
  options: readonly AttributeOption[]
}

export const maxOptions = 50
const longest = { value: 20, label: 30 }

/** '0=关闭\n1=开启' as options; undefined when a line does not parse or a value occurs twice. */
export function optionsOf(text: string): AttributeOption[] | undefined {
  const parts = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => /^([^=\s]+)\s*=\s*(.+)$/.exec(line))
  const options = parts.flatMap((part) => (part === null ? [] : [{ value: part[1] ?? '', label: part[2] ?? '' }]))
  const fits = ({ value, label }: AttributeOption) => value.length <= longest.value && label.length <= longest.label
  const distinct = new Set(options.map(({ value }) => value)).size === options.length
  const sound = options.length === parts.length && options.length > 0 && options.length <= maxOptions
  return sound && distinct && options.every(fits) ? options : undefined
}

export const optionText = (options: readonly AttributeOption[]) =>
  options.map(({ value, label }) => `${value}=${label}`).join('\n')

/** The message to show for an invalid value of an attribute; undefined when the value is valid. */
export function valueProblem({ dataType, minimum, maximum, options }: AttributeRange, value: string) {
  if (dataType === attributeTypeCode.text) return undefined
  if (dataType === attributeTypeCode.onOff) return value === '0' || value === '1' ? undefined : '开关只能为0或1'
  if (dataType === attributeTypeCode.choice)
    return options.some((option) => option.value === value) ? undefined : '不是可选的枚举值'
  const whole = dataType === attributeTypeCode.integer
  if (!(whole ? /^-?\d{1,9}$/ : /^-?\d{1,9}(\.\d{1,4})?$/).test(value))
    return whole ? '请输入整数' : '请输入数字，最多4位小数'
  const number = Number(value)
  if (minimum !== null && number < minimum) return `不能小于${minimum}`
  if (maximum !== null && number > maximum) return `不能大于${maximum}`
  return undefined
}
