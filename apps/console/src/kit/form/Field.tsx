import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Form } from 'antd'
import { createContext, type ReactNode, use } from 'react'
import { fieldSchema, isRequired, zodRule } from './zod-rule.ts'

/** The route whose body a form fills. */
export const FormRoute = createContext<AnyRoute | undefined>(undefined)

type Props = {
  name: string
  label: string
  children: ReactNode
  /** For selects, trees and switches: 请选择 instead of 请输入. */
  choose?: boolean
  help?: ReactNode
  /** Required here although the contract lets it be left out. */
  required?: boolean | undefined
  wide?: boolean | undefined
  valuePropName?: string
}
/** What a field with a control of its own takes of the field; the rest is the control's. */
export type FieldProps = Pick<Props, 'name' | 'label' | 'help' | 'required' | 'wide'>

/** A form field whose rule is the contract's own schema for it. */
export function Field({ name, label, children, choose, help, required, wide, valuePropName }: Props) {
  const route = use(FormRoute)
  const missing = `${choose ? '请选择' : '请输入'}${label}`
  const must = required ?? (route ? isRequired(fieldSchema(route.body, name)) : false)
  return (
    <Form.Item
      name={name}
      label={label}
      required={must}
      validateFirst
      validateTrigger={['onBlur', 'onChange']}
      {...(wide ? { className: 'wide-field' } : {})}
      {...(help ? { extra: help } : {})}
      {...(valuePropName ? { valuePropName } : {})}
      rules={[
        ...(required ? [{ required, message: missing }] : []),
        ...(route ? [zodRule(route.body, name, { encoding: route.encoding, missing })] : []),
      ]}
    >
      {children}
    </Form.Item>
  )
}
