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
  /** Required here although optional in the contract. */
  required?: boolean | undefined
  wide?: boolean | undefined
  valuePropName?: string
}
/** The props of `Field` for a field with a fixed control; the other props go to the control. */
export type FieldProps = Pick<Props, 'name' | 'label' | 'help' | 'required' | 'wide'>

/** A form field that the contract's own schema validates. */
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
