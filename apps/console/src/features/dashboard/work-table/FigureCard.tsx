import { figureTarget, targetPath } from '@wattdeck/contract/dashboard/figure-links.ts'
import { type Figure, type FigureName, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { QuestionCircleOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { Link } from 'react-router'
import { useList } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import {
  changeOf,
  comparedLines,
  exactText,
  figureHelp,
  figureTitle,
  shortText,
  unitOf,
} from '../../../kit/display/figure-text.ts'
import type { TableQuery } from './card-props.ts'

type Props = { name: FigureName; query: TableQuery; menus: ReadonlySet<string> }

/** One figure with its comparison or its parts. */
export function FigureCard({ name, query, menus }: Props) {
  const read = useList(workTable.figure, { params: { name }, query })
  const title = figureTitle(name, query.span)
  const help = figureHelp[name]
  const target = read.data && figureTarget(name, read.data, query, menus)
  const stale = read.data !== undefined && Boolean(read.error)
  return (
    <section
      className="panel figure"
      aria-label={title}
      aria-busy={read.isFetching}
      data-area={name}
      data-old={read.isPlaceholderData}
    >
      <h2>
        {target === undefined ? title : <Link to={targetPath(target)}>{title}</Link>}
        {help !== undefined && (
          <Tooltip title={help}>
            <QuestionCircleOutlined className="figure-help" tabIndex={0} aria-label={help} />
          </Tooltip>
        )}
        {stale && <Tag tone="warn">未更新</Tag>}
      </h2>
      <States query={read} rows={1}>
        {(figure) => <FigureBody name={name} span={query.span} figure={figure} />}
      </States>
    </section>
  )
}

function FigureBody({ name, span, figure }: { name: FigureName; span: number | undefined; figure: Figure }) {
  const unit = unitOf[name]
  const { digits, scale } = shortText(unit, figure.value)
  const word = [scale, unit.after].filter(Boolean).join(' ')
  return (
    <>
      <p className="figure-value" title={exactText(unit, figure.value)}>
        {digits}
        {word !== '' && <small> {word}</small>}
        {figure.of !== null && <small> / {exactText(unit, figure.of)}</small>}
      </p>
      <FigureNote name={name} span={span} figure={figure} />
    </>
  )
}

function FigureNote({ name, span, figure: { compared, parts, whose, of, value } }: Parameters<typeof FigureBody>[0]) {
  const unit = unitOf[name]
  const partsText = parts.map(({ label, value: part }) => `${label} ${exactText(unit, part)}`).join('，')
  if (compared === null) {
    const share = of !== null && Number(of) > 0 ? (100 * Number(value)) / Number(of) : undefined
    const texts = [whose, partsText, share === undefined ? null : `${share.toFixed(1)}%`].filter(Boolean)
    const text = texts.join(' · ')
    return (
      <p className="figure-note" title={text}>
        <span className="one-line">{text === '' ? '–' : text}</span>
      </p>
    )
  }
  const change = changeOf(unit, compared)
  const [now, before] = comparedLines(unit, compared, span)
  return (
    <>
      <p className="figure-note" title={[now, before, partsText].filter(Boolean).join('；')}>
        <span className="one-line">{now}</span>
        {change && (
          <span className="figure-change" data-tone={change.tone}>
            {change.text}
          </span>
        )}
      </p>
      <p className="figure-note figure-before">
        <span className="one-line">{before}</span>
      </p>
    </>
  )
}
