import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { StatusTag } from './StatusTag.tsx'
import { agoText } from './time-text.ts'

/** Rendering of table cells. Empty is a dash; zero is a value. */
export const dash = <span className="dash">–</span>

export const text = (value: ReactNode) => (value === null || value === undefined || value === '' ? dash : value)

export const time = (value: string | null | undefined) =>
  value ? <time dateTime={value.replace(' ', 'T')}>{value}</time> : dash

export const ago = (value: string | null | undefined) =>
  value ? (
    <Tooltip title={value}>
      <time dateTime={value.replace(' ', 'T')}>{agoText(value)}</time>
    </Tooltip>
  ) : (
    dash
  )

export const status = <C,>(of: Parameters<typeof StatusTag<C>>[0]['of'], value: C) => (
  <StatusTag of={of} value={value} />
)

/** The plain label of a code that is not a state. */
export const label = <C,>(of: { show: (value: C) => { label: string } }, value: C) => of.show(value).label

export const names = (values: readonly string[]) =>
  values.length === 0 ? (
    dash
  ) : (
    <span className="one-line" title={values.join('、')}>
      {values.join('、')}
    </span>
  )

const counts = new Intl.NumberFormat('zh-CN')
export const count = (value: number) => counts.format(value)

/** Groups the thousands of a decimal text, which never becomes a number. */
const moneyText = (value: string) => value.replace(/\B(?=(\d{3})+\.)/g, ',')

export const money = (value: string | null | undefined) =>
  value === null || value === undefined || value === '' ? dash : <span className="money">{moneyText(value)}</span>

/** An income or expense, distinguished by sign and colour. */
export const flow = (value: string) => (
  <span className="money" data-tone={value.startsWith('-') ? 'bad' : 'ok'}>
    {value.startsWith('-') ? moneyText(value) : `+${moneyText(value)}`}
  </span>
)
