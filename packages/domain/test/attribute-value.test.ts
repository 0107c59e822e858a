import { describe, expect, it } from 'vitest'
import { attributeTypeCode, optionsOf, optionText, valueProblem } from '../src/attribute-value.ts'

const range = { minimum: null, maximum: null, options: [] }

describe('options of an attribute', () => {
  it('parses one option a line and writes the same format', () => {
    const options = optionsOf(' 0 = 关闭 \n\n1=开启=常开')
    expect(options).toEqual([
      { value: '0', label: '关闭' },
      { value: '1', label: '开启=常开' },
    ])
    expect(optionsOf(optionText(options ?? []))).toEqual(options)
  })

  it.each(['', '关闭', '0=', '=关', '0=关\n0=开', `${'9'.repeat(21)}=x`])('rejects %j', (text) => {
    expect(optionsOf(text)).toBeUndefined()
  })
})

describe('a value of an attribute', () => {
  it('accepts an integer, or a decimal with up to four decimals, within the bounds', () => {
    const bounded = { ...range, dataType: attributeTypeCode.integer, minimum: 10, maximum: 20 }
    expect(['10', '20', '9', '21', '10.5', 'x'].map((value) => valueProblem(bounded, value))).toEqual([
      undefined,
      undefined,
      '不能小于10',
      '不能大于20',
      '请输入整数',
      '请输入整数',
    ])
    const decimal = { ...range, dataType: attributeTypeCode.decimal }
    expect(['1.2345', '1.23456'].map((value) => valueProblem(decimal, value))).toEqual([
      undefined,
      '请输入数字，最多4位小数',
    ])
  })

  it('accepts 0 or 1, one of the options, or any text, by data type', () => {
    const onOff = { ...range, dataType: attributeTypeCode.onOff }
    expect(['0', '1', '2'].map((value) => valueProblem(onOff, value))).toEqual([undefined, undefined, '开关只能为0或1'])
    const choice = { ...range, dataType: attributeTypeCode.choice, options: [{ value: 'a', label: '甲' }] }
    expect(['a', 'b'].map((value) => valueProblem(choice, value))).toEqual([undefined, '不是可选的枚举值'])
    expect(valueProblem({ ...range, dataType: attributeTypeCode.text }, '任意')).toBeUndefined()
  })
})
