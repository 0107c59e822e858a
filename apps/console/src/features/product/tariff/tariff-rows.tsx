import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { ruleLimits } from '@wattdeck/domain/tariff/rules.ts'
import type { BandRow, PresetRow, TierRow } from './tariff-form.ts'
import './tariff.css'

/** Problems by field path. */
export type Problems = ReadonlyMap<string, string>

export function RowProblem({ problems, path }: { problems: Problems; path: string }) {
  const own = [...problems].filter(([at]) => at === path || at.startsWith(`${path}.`)).map(([, text]) => text)
  if (own.length === 0) return null
  return <span className="tariff-row-problem">{[...new Set(own)].join('；')}</span>
}

type AmountProps = {
  label: string
  unit: string
  value: string
  onChange: (value: string) => void
  wide?: boolean
  /** A label before the input when several are in a row. */
  lead?: string
}
/** A price or an amount as text: the input never becomes a floating-point number. */
export const AmountInput = ({ label, unit, value, onChange, wide = false, lead }: AmountProps) => (
  <Input
    className={wide ? 'tariff-wide' : 'tariff-amount'}
    aria-label={label}
    {...(lead === undefined ? { placeholder: label } : { prefix: lead, placeholder: '0.00' })}
    inputMode="decimal"
    autoComplete="off"
    suffix={unit}
    value={value}
    onChange={(event) => onChange(event.target.value.trim())}
  />
)

type NumberProps = { label: string; unit: string; value: number | null; onChange: (value: number) => void }
export const CountInput = ({ label, unit, value, onChange }: NumberProps) => (
  <InputNumber
    className="tariff-amount"
    aria-label={label}
    placeholder={label}
    controls={false}
    precision={0}
    min={0}
    suffix={unit}
    value={value}
    onChange={(next) => onChange(next ?? 0)}
  />
)

export const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button type="text" icon={<DeleteOutlined />} aria-label={label} title={label} onClick={onClick} />
)
const AddRow = ({ label, onClick, full }: { label: string; onClick: () => void; full: boolean }) => (
  <Button icon={<PlusOutlined />} disabled={full} onClick={onClick}>
    {label}
  </Button>
)

type RowsProps<T> = { rows: readonly T[]; onChange: (rows: T[]) => void; problems: Problems }

const Rows = ({ children }: { children: ReactNode }) => <ul className="tariff-rows">{children}</ul>

/** 阶梯: the last tier has no end, so new ones are inserted before it. */
export function TierRows({ rows, onChange, problems, unitMinutes }: RowsProps<TierRow> & { unitMinutes: number }) {
  const replaceRow = (at: number, row: TierRow) => onChange(rows.with(at, row))
  const add = () => {
    const before = rows.at(-2)?.uptoMin ?? 0
    const last = rows.at(-1) ?? { uptoMin: null, price: '' }
    onChange([...rows.slice(0, -1), { uptoMin: before + 240, price: last.price }, last])
  }
  return (
    <>
      <Rows>
        {rows.map((row, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- tiers have no other name than their place
          <li className="tariff-row" key={at}>
            {row.uptoMin === null ? (
              <span className="tariff-amount">{rows.length === 1 ? '全部时长' : '之后'}</span>
            ) : (
              <CountInput
                label={`阶梯${at + 1}上限`}
                unit="分钟以内"
                value={row.uptoMin}
                onChange={(uptoMin) => replaceRow(at, { ...row, uptoMin })}
              />
            )}
            <AmountInput
              wide
              label={`阶梯${at + 1}单价`}
              unit={`元/${unitMinutes}分钟`}
              value={row.price}
              onChange={(price) => replaceRow(at, { ...row, price })}
            />
            {row.uptoMin !== null && (
              <RemoveButton label={`删除阶梯${at + 1}`} onClick={() => onChange(rows.toSpliced(at, 1))} />
            )}
            <RowProblem problems={problems} path={`tiers.${at}`} />
          </li>
        ))}
      </Rows>
      <AddRow label="添加阶梯" full={rows.length >= ruleLimits.tiers} onClick={add} />
    </>
  )
}

export function BandRows({ rows, onChange, problems }: RowsProps<BandRow>) {
  const replaceRow = (at: number, row: BandRow) => onChange(rows.with(at, row))
  return (
    <>
      <Rows>
        {rows.map((row, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- bands have no other name than their place
          <li className="tariff-row" key={at}>
            <CountInput
              label={`功率档${at + 1}上限`}
              unit="W 以内"
              value={row.maxWatt}
              onChange={(maxWatt) => replaceRow(at, { ...row, maxWatt })}
            />
            <AmountInput
              wide
              label={`功率档${at + 1}单价`}
              unit="元/小时"
              value={row.price}
              onChange={(price) => replaceRow(at, { ...row, price })}
            />
            {rows.length > 1 && (
              <RemoveButton label={`删除功率档${at + 1}`} onClick={() => onChange(rows.toSpliced(at, 1))} />
            )}
            <RowProblem problems={problems} path={`bands.${at}`} />
          </li>
        ))}
      </Rows>
      <AddRow
        label="添加功率档"
        full={rows.length >= ruleLimits.bands}
        onClick={() => onChange([...rows, { maxWatt: (rows.at(-1)?.maxWatt ?? 0) + 100, price: '' }])}
      />
    </>
  )
}

const presetKinds: { value: PresetRow['by']; label: string }[] = [
  { value: 'money', label: '金额' },
  { value: 'minutes', label: '时长' },
  { value: 'energy', label: '电量' },
]
const presetUnit = { money: '元', minutes: '分钟', energy: '度' } as const

export function PresetRows({ rows, onChange, problems }: RowsProps<PresetRow>) {
  const replaceRow = (at: number, row: PresetRow) => onChange(rows.with(at, row))
  return (
    <>
      <Rows>
        {rows.map((row, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- presets have no other name than their place
          <li className="tariff-row" key={at}>
            <Select
              className="tariff-choice"
              aria-label={`档位${at + 1}类型`}
              options={presetKinds}
              value={row.by}
              onChange={(by) => replaceRow(at, { by, value: '' })}
            />
            <AmountInput
              label={`档位${at + 1}`}
              unit={presetUnit[row.by]}
              value={row.value}
              onChange={(value) => replaceRow(at, { ...row, value })}
            />
            <RemoveButton label={`删除档位${at + 1}`} onClick={() => onChange(rows.toSpliced(at, 1))} />
            <RowProblem problems={problems} path={`presets.${at}`} />
          </li>
        ))}
      </Rows>
      <AddRow
        label="添加档位"
        full={rows.length >= ruleLimits.presets}
        onClick={() => onChange([...rows, { by: rows.at(-1)?.by ?? 'money', value: '' }])}
      />
    </>
  )
}
