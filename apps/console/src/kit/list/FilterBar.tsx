import { CloseOutlined, DownOutlined, SearchOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button, Form, Input, Select, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { activeChips, type Filter, filterKey, formValues, levelsOf, queryChanges } from './filters.ts'
import { filtersInRow } from './filter-room.ts'
import { maySelect, type OwnerIds } from '../owner-region/owner.ts'
import { useNarrow } from '../display/use-narrow.ts'
import { useOwnerNames } from '../owner-region/use-owner.ts'
import { useUser } from '../api/user.ts'
import { useWidth } from './use-width.ts'

type Values = Record<string, unknown>
type Props<Q> = {
  filters: readonly Filter<Q>[]
  /** Its query validates typed values before the list is fetched. */
  route: AnyRoute
  query: Q
  /** A tab names the active filters. */
  named?: boolean
  onChange: (changes: Partial<Q>) => void
  onReset: () => void
}

const noProblems: ReadonlyMap<string, string> = new Map()

// The calendar and the cascader are large, and few lists filter by days or regions; some users have no owners to select.
const DateRange = lazy(() => import('../form/DateRange.tsx'))
const RegionCascader = lazy(async () => ({
  default: (await import('../owner-region/RegionCascader.tsx')).RegionCascader,
}))
const RegionNames = lazy(() => import('../owner-region/RegionNames.tsx'))
const OwnerFilter = lazy(() => import('../owner-region/OwnerFilter.tsx'))

/** Filters of a list. They apply on 查询; the active ones are shown below as chips, unless a tab names them. */
export function FilterBar<Q>({ filters, route, query, named = false, onChange, onReset }: Props<Q>) {
  const [form] = Form.useForm<Values>()
  const [checked, setChecked] = useState({ text: '', problems: noProblems })
  const problemsId = useId()
  const [open, setOpen] = useState(false)
  const { ref, width } = useWidth<HTMLElement>()
  const user = useUser()
  const usable = filters.filter(
    (filter) => filter.kind !== 'owner' || levelsOf(filter).some((level) => maySelect(user, level)),
  )
  const limit = useNarrow() ? 1 : filtersInRow(usable, width)
  // Null, because the form would keep an omitted value.
  const text = JSON.stringify(formValues(filters, query as Values), (_, value: unknown) => value ?? null)
  useEffect(() => {
    form.setFieldsValue(JSON.parse(text) as Values)
  }, [form, text])
  // Problems of an older query no longer apply.
  const problems = checked.text === text ? checked.problems : noProblems
  const submit = async () => {
    const { typedProblems } = await import('./refused/filter-problems.ts')
    const values = form.getFieldsValue(true) as Values
    const found = typedProblems(filters, route.query, values)
    setChecked({ text, problems: found })
    if (found.size === 0) onChange(queryChanges(filters, values) as Partial<Q>)
  }
  const shown = open ? usable : usable.slice(0, limit)
  const owned = filters.some((filter) => filter.kind === 'owner')
  const names = useOwnerNames(owned ? (query as OwnerIds) : {})
  const chips = named ? [] : activeChips(filters, query as Values, names)

  return (
    <search className="filter-bar" ref={ref}>
      <Form
        form={form}
        // The form name keeps field ids distinct from those of dialogs.
        name="filter"
        className="filter-form"
        onFinish={() => void submit()}
      >
        {shown.map((filter) => (
          <Form.Item key={filterKey(filter)} name={filterKey(filter)} noStyle>
            <FilterField filter={filter} {...(problems.has(filterKey(filter)) && { problemId: problemsId })} />
          </Form.Item>
        ))}
        <div className="filter-buttons">
          <Button className="query-button" htmlType="submit" icon={<SearchOutlined />}>
            查询
          </Button>
          <Button
            onClick={() => {
              form.resetFields()
              setChecked({ text, problems: noProblems })
              onReset()
            }}
          >
            重置
          </Button>
          {usable.length > limit && (
            <Button type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? '收起' : '展开'} <DownOutlined rotate={open ? 180 : 0} />
            </Button>
          )}
        </div>
      </Form>
      {problems.size > 0 && (
        <ul className="filter-problems" role="alert" id={problemsId}>
          {[...problems.values()].map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {chips.length > 0 && (
        <ul className="filter-chips" aria-label="已选条件">
          {chips.map((chip) => (
            <li key={chip.key}>
              {chip.text}
              {chip.region && (
                <Suspense>
                  ：<RegionNames path={chip.region} />
                </Suspense>
              )}
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

type FieldProps<Q> = {
  filter: Filter<Q>
  /** The id of the element that explains why the typed value is invalid. */
  problemId?: string
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
}

/** Form.Item hands id, value and onChange to its child, which passes them on. */
function FilterField<Q>({ filter, problemId, ...control }: FieldProps<Q>) {
  if (filter.kind === 'owner')
    return (
      <Suspense fallback={<Skeleton.Input className="filter-select" />}>
        <OwnerFilter levels={levelsOf(filter)} {...(control as object)} />
      </Suspense>
    )
  const { label } = filter
  if (filter.kind === 'part') return <filter.part label={label} {...control} />
  if (filter.kind === 'dates')
    return (
      <Suspense fallback={<Skeleton.Input className="filter-select" />}>
        <DateRange label={label} {...(control as object)} />
      </Suspense>
    )
  if (filter.kind === 'region')
    return (
      <Suspense fallback={<Skeleton.Input className="filter-select" />}>
        <RegionCascader className="filter-region" label={label} anyLevel {...(control as object)} />
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
  return (
    <Input
      className="filter-text"
      aria-label={label}
      placeholder={label}
      allowClear
      {...(problemId === undefined ? {} : { status: 'error', 'aria-invalid': true, 'aria-describedby': problemId })}
      {...(control as object)}
    />
  )
}
