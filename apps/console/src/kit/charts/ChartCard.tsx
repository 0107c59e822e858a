import { EllipsisOutlined } from '@ant-design/icons'
import { Empty } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { MenuButton } from '../display/MenuButton.tsx'
import { fileName, saveBlob } from '../api/save-file.ts'
import { States } from '../display/States.tsx'
import { Tag } from '../display/StatusTag.tsx'
import { type ChartTable, csvOf } from './chart-csv.ts'
import { pictureOf } from './chart-picture.ts'
import './charts.css'

type Query<D> = { data: D | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
type Props<D> = {
  title: string
  /** How the values are counted; a line below the title. */
  note?: ReactNode
  /** Controls that select what the chart shows. */
  extra?: ReactNode
  wide?: boolean
  query: Query<D>
  /** The same numbers as a table, shown instead of the chart and saved to a file. */
  tableOf: (data: D) => ChartTable
  isEmpty?: (data: D) => boolean
  children: (data: D) => ReactNode
}

/** A chart with its own loading and error states, that can be saved as picture or file, or shown as a table. */
export function ChartCard<D>({ title, note, extra, wide, query, tableOf, isEmpty, children }: Props<D>) {
  const card = useRef<HTMLElement>(null)
  const [asTable, setAsTable] = useState(false)
  const { data } = query
  const empty = data === undefined || isEmpty?.(data) === true
  const nothing = empty ? '暂无数据' : undefined
  const savePicture = async () => {
    const picture = card.current === null ? undefined : await pictureOf(card.current, title)
    if (picture !== undefined) saveBlob(picture, fileName(title, 'png'))
  }
  const entries = [
    {
      label: '保存为图片（PNG）',
      disabled: nothing ?? (asTable ? '请先切换到图表' : undefined),
      onClick: () => void savePicture(),
    },
    {
      label: '下载数据（CSV）',
      disabled: nothing,
      onClick: () => {
        if (data !== undefined)
          saveBlob(new Blob([csvOf(tableOf(data))], { type: 'text/csv;charset=utf-8' }), fileName(title, 'csv'))
      },
    },
    { label: asTable ? '显示图表' : '显示表格', disabled: nothing, onClick: () => setAsTable(!asTable) },
  ]
  return (
    <section
      ref={card}
      className="panel chart-card"
      data-wide={wide === true}
      aria-label={title}
      aria-busy={query.isFetching}
    >
      <header className="chart-head">
        <h2>{title}</h2>
        {data !== undefined && Boolean(query.error) && <Tag tone="warn">未更新</Tag>}
        <div className="chart-extra">
          {extra}
          <MenuButton
            type="text"
            size="small"
            aria-label={`${title}：更多操作`}
            icon={<EllipsisOutlined />}
            entries={entries}
          />
        </div>
      </header>
      {note && <p className="chart-note">{note}</p>}
      <div className="chart-body">
        <States query={query} rows={6}>
          {(found) => {
            if (isEmpty?.(found) === true)
              return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该时间段内没有数据" />
            return asTable ? <PlainTable title={title} table={tableOf(found)} /> : children(found)
          }}
        </States>
      </div>
    </section>
  )
}

function PlainTable({ title, table: { head, rows } }: { title: string; table: ChartTable }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className="chart-table" aria-label={`${title}表格`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(row[0])}>
              {row.map((cell, place) => {
                const text = cell ?? '–'
                return place === 0 ? (
                  <th key={head[place]} scope="row">
                    {text}
                  </th>
                ) : (
                  <td key={head[place]}>{text}</td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
