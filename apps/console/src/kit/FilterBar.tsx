import { CloseOutlined, DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Form, Input, Select, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { activeChips, type Filter, filterKey, formValues, queryChanges } from './filters.ts'
import { useNarrow } from './use-narrow.ts'

type Values = Record<string, unknown>
type Props<Q> = {
  filters: readonly Filter<Q>[]
  query: Q
  onChange: (changes: Partial<Q>) => void
  onReset: () => void
}

// The calendar is heavy and few lists ask for days.
const DateRange = lazy(() => import('./DateRange.tsx'))
const inSight = 4

/** Filters of a list. They act on 查询, and what acts stands below as chips. */
export function FilterBar<Q>({ filters, query, onChange, onReset }: Props<Q>) {
  const [form] = Form.useForm<Values>()
  const [open, setOpen] = useState(false)
  const limit = useNarrow() ? 1 : inSight
  const text = JSON.stringify(formValues(filters, query as Values))
  useEffect(() => {
    form.setFieldsValue(JSON.parse(text) as Values)
  }, [form, text])
  const shown = open ? filters : filters.slice(0, limit)
  const chips = activeChips(filters, query as Values)

  return (
    <search className="filter-bar">
      <Form
        form={form}
        // A name of its own, so that no field here has the id of a field in a dialog.
        name="filter"
        className="filter-form"
        onFinish={() => onChange(queryChanges(filters, form.getFieldsValue(true)) as Partial<Q>)}
      >
        {shown.map((filter) => (
          <Form.Item key={filterKey(filter)} name={filterKey(filter)} noStyle>
            <FilterField filter={filter} />
          </Form.Item>
        ))}
        <Button className="query-button" htmlType="submit" icon={<SearchOutlined />}>
          查询
        </Button>
        <Button
          onClick={() => {
            form.resetFields()
            onReset()
          }}
        >
          重置
        </Button>
        {filters.length > limit && (
          <Button type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? '收起' : '展开'} {open ? <UpOutlined /> : <DownOutlined />}
          </Button>
        )}
      </Form>
      {chips.length > 0 && (
        <ul className="filter-chips" aria-label="已选条件">
          {chips.map((chip) => (
            <li key={chip.key}>
              {chip.text}
              <button
                type="button"
                className="icon-button"
                aria-label={`移除条件 ${chip.text}`}
                onClick={() => onChange(chip.cleared as Partial<Q>)}
              >
                <CloseOutlined />
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}

type FieldProps<Q> = { filter: Filter<Q>; id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** Form.Item hands id, value and onChange to its child, which passes them on. */
function FilterField<Q>({ filter, ...control }: FieldProps<Q>) {
  const { label } = filter
  if (filter.kind === 'dates')
    return (
      <Suspense fallback={<Skeleton.Input style={{ width: 240 }} />}>
        <DateRange label={label} {...(control as object)} />
      </Suspense>
    )
  if (filter.kind === 'select')
    return (
      <Select
        className="filter-select"
        aria-label={label}
        placeholder={label}
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        options={[...filter.options]}
        {...control}
      />
    )
  return <Input className="filter-text" aria-label={label} placeholder={label} allowClear {...(control as object)} />
}
