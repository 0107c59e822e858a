import { billingType } from '@wattdeck/contract/product/consumption-standard.ts'
import { Radio, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import type { TariffForm } from './tariff-form.ts'
import { AmountInput, BandRows, CountInput, PresetRows, type Problems, RowProblem, TierRows } from './tariff-rows.tsx'
import { SegmentRows } from './tariff-segments.tsx'

type Props = {
  form: TariffForm
  /** Published: the billing type is fixed. */
  fixedType: boolean
  problems: Problems
  onChange: (next: Partial<TariffForm>) => void
}

type PartProps = { label: string; path: string; problems: Problems; children: ReactNode }
const Part = ({ label, path, problems, children }: PartProps) => (
  <div className="tariff-field">
    <span className="tariff-label">{label}</span>
    {children}
    <RowProblem problems={problems} path={path} />
  </div>
)

const modes: { value: TariffForm['mode']; label: string }[] = [
  { value: 'peak', label: '整单按最大功率' },
  { value: 'segmented', label: '分段累计' },
]

/** The fields of the rules. Problems are shown at their fields during input. */
export function RuleFields({ form, fixedType, problems, onChange }: Props) {
  const electricity = (
    <Part label="电费单价" path="electricity" problems={problems}>
      <AmountInput
        label="电费单价"
        unit="元/度"
        value={form.electricity}
        onChange={(value) => onChange({ electricity: value })}
      />
    </Part>
  )
  return (
    <>
      <FormSection title="计费方式" {...(fixedType ? { note: '已发布过，不能更改' } : {})} />
      <p>
        <Radio.Group
          aria-label="计费方式"
          optionType="button"
          options={billingType.options}
          value={form.billingType}
          disabled={fixedType}
          onChange={(event) => onChange({ billingType: event.target.value as TariffForm['billingType'] })}
        />
      </p>
      {form.billingType === 0 && (
        <SegmentRows rows={form.segments} problems={problems} onChange={(segments) => onChange({ segments })} />
      )}
      {form.billingType === 1 && (
        <>
          <div className="tariff-fields">
            <Part label="计费单位" path="unitMinutes" problems={problems}>
              <CountInput
                label="计费单位"
                unit="分钟"
                value={form.unitMinutes}
                onChange={(unitMinutes) => onChange({ unitMinutes })}
              />
            </Part>
            <Part label="计时步长" path="stepMinutes" problems={problems}>
              <CountInput
                label="计时步长"
                unit="分钟"
                value={form.stepMinutes}
                onChange={(stepMinutes) => onChange({ stepMinutes })}
              />
            </Part>
            {electricity}
          </div>
          <TierRows
            rows={form.tiers}
            unitMinutes={form.unitMinutes}
            problems={problems}
            onChange={(tiers) => onChange({ tiers })}
          />
        </>
      )}
      {form.billingType === 2 && (
        <>
          <div className="tariff-fields">
            <Part label="计费规则" path="mode" problems={problems}>
              <Select aria-label="计费规则" options={modes} value={form.mode} onChange={(mode) => onChange({ mode })} />
            </Part>
            {electricity}
          </div>
          <BandRows rows={form.bands} problems={problems} onChange={(bands) => onChange({ bands })} />
        </>
      )}
      <CommonFields form={form} problems={problems} onChange={onChange} />
    </>
  )
}

function CommonFields({ form, problems, onChange }: Omit<Props, 'fixedType'>) {
  const { occupancy } = form
  const place = (next: Partial<NonNullable<TariffForm['occupancy']>>) =>
    occupancy && onChange({ occupancy: { ...occupancy, ...next } })
  const amount = (label: string, key: 'minFee' | 'startFee') => (
    <Part label={label} path={key} problems={problems}>
      <AmountInput label={label} unit="元" value={form[key]} onChange={(value) => onChange({ [key]: value })} />
    </Part>
  )
  const minutes = (label: string, key: 'freeMinutes' | 'maxMinutes') => (
    <Part label={label} path={key} problems={problems}>
      <CountInput label={label} unit="分钟" value={form[key]} onChange={(value) => onChange({ [key]: value })} />
    </Part>
  )
  const flag = (label: string, key: 'fullStop' | 'refundUnused') => (
    <Part label={label} path={key} problems={problems}>
      <Switch aria-label={label} checked={form[key]} onChange={(value) => onChange({ [key]: value })} />
    </Part>
  )
  return (
    <>
      <FormSection title="通用规则" />
      <div className="tariff-fields">
        {amount('起充金额', 'startFee')}
        {amount('最低消费', 'minFee')}
        {minutes('免费时长', 'freeMinutes')}
        {minutes('最长时长', 'maxMinutes')}
        {flag('充满自停', 'fullStop')}
        {flag('未用退款', 'refundUnused')}
      </div>
      <FormSection title="档位" note="用户可以选择购买的金额、时长或电量" />
      <PresetRows rows={form.presets} problems={problems} onChange={(presets) => onChange({ presets })} />
      <FormSection title="占位费" />
      <div className="tariff-fields">
        <Part label="收取占位费" path="occupancy" problems={new Map()}>
          <Switch
            aria-label="收取占位费"
            checked={occupancy !== null}
            onChange={(on) => onChange({ occupancy: on ? { freeMinutes: 15, price: '', cap: '' } : null })}
          />
        </Part>
        {occupancy && (
          <>
            <Part label="免费时长" path="occupancy.freeMinutes" problems={problems}>
              <CountInput
                label="占位免费时长"
                unit="分钟"
                value={occupancy.freeMinutes}
                onChange={(freeMinutes) => place({ freeMinutes })}
              />
            </Part>
            <Part label="单价" path="occupancy.price" problems={problems}>
              <AmountInput
                label="占位费单价"
                unit="元/分钟"
                value={occupancy.price}
                onChange={(price) => place({ price })}
              />
            </Part>
            <Part label="封顶" path="occupancy.cap" problems={problems}>
              <AmountInput label="占位费封顶" unit="元" value={occupancy.cap} onChange={(cap) => place({ cap })} />
            </Part>
          </>
        )}
      </div>
    </>
  )
}
