import { Form } from 'antd'
import type { ReactNode } from 'react'
import { Field } from '../form/Field.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import { pathOf } from './region-options.ts'

const RegionCascader = lazyPart(() => import('./RegionCascader.tsx').then((part) => part.RegionCascader))

type Props = { label?: string; required?: boolean; help?: ReactNode; wide?: boolean }

/**
 * Province, city and district of a form, as one field that writes three values: provinceCode, cityCode, districtCode
 * (`regionFields` of the contract). The path must be complete.
 */
export function RegionField({ label = '省市区', ...field }: Props) {
  return (
    <>
      <Field name="provinceCode" label={label} choose {...field}>
        <RegionControl label={label} />
      </Field>
      <Form.Item name="cityCode" noStyle>
        <Unseen />
      </Form.Item>
      <Form.Item name="districtCode" noStyle>
        <Unseen />
      </Form.Item>
    </>
  )
}

/** Registers a form value that another control renders. */
const Unseen = () => null

type ControlProps = { label: string; id?: string; value?: string; onChange?: (code: string | undefined) => void }

function RegionControl({ label, value, onChange, ...control }: ControlProps) {
  const form = Form.useFormInstance()
  const cityCode = Form.useWatch<string | undefined>('cityCode', form)
  const districtCode = Form.useWatch<string | undefined>('districtCode', form)
  return (
    <RegionCascader
      {...control}
      label={label}
      value={pathOf(value, cityCode, districtCode)}
      onChange={([province, city, district] = []) => {
        form.setFields([
          { name: 'cityCode', value: city, touched: true },
          { name: 'districtCode', value: district, touched: true },
        ])
        onChange?.(province)
      }}
    />
  )
}
