import { type ComponentType, type ReactNode, useState } from 'react'
import type { TabProps } from './tabs.ts'
import { useTurns } from './turns.ts'
import type { Figures } from './use-figures.ts'
import type { WallboardFilter } from './wallboard-filter.ts'

type Props<T> = {
  title: string
  figures: Figures<T>
  /** The text of an empty panel. */
  isEmpty?: (data: T) => boolean
  area?: string
  extra?: ReactNode
  children: (data: T) => ReactNode
}

/** One panel of a wallboard. A failed fetch shows no error: the panel is greyed with the time of its last data. */
export function ScreenPanel<T>({ title, figures, isEmpty, area, extra, children }: Props<T>) {
  const { data, staleSince } = figures
  return (
    <section
      className="wallboard-panel"
      aria-label={title}
      data-area={area}
      data-stale={staleSince === undefined ? undefined : true}
    >
      <header>
        <h2>{title}</h2>
        {staleSince !== undefined && <StaleMark since={staleSince} />}
        {extra}
      </header>
      <div className="wallboard-panel-body" aria-busy={figures.waiting}>
        {data !== undefined &&
          (isEmpty?.(data) === true ? <p className="wallboard-empty">暂无数据</p> : children(data))}
        {data === undefined &&
          (figures.waiting ? <span className="wallboard-wait" /> : <p className="wallboard-empty">暂无数据</p>)}
      </div>
    </section>
  )
}

const clockOf = new Intl.DateTimeFormat('zh-CN', { timeZone: 'Asia/Shanghai', timeStyle: 'medium', hour12: false })
export const StaleMark = ({ since }: { since: number }) => (
  <output className="wallboard-stale">{since === 0 ? '未更新' : `未更新 ${clockOf.format(since)}`}</output>
)

export type Tab = { key: string; title: string; Panel: ComponentType<TabProps> }
type TabbedProps = { label: string; tabs: readonly Tab[]; filter: WallboardFilter }

/** Several panels in one place, rotated automatically until the user selects one. Only the visible panel is fetched. */
export function TabbedPanel({ label, tabs, filter }: TabbedProps) {
  const [chosen, setChosen] = useState<string>()
  const turn = useTurns(tabs.length)
  const shown = tabs.find(({ key }) => key === chosen) ?? tabs[turn % tabs.length]
  if (shown === undefined) return null
  const bar = tabs.length > 1 && (
    <fieldset className="wallboard-tabs" aria-label={label}>
      {tabs.map(({ key, title }) => (
        <button key={key} type="button" aria-pressed={key === shown.key} onClick={() => setChosen(key)}>
          {title}
        </button>
      ))}
    </fieldset>
  )
  return <shown.Panel filter={filter} tabs={bar} />
}
