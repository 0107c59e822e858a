import { Link } from 'react-router'
import './figure-strip.css'

type Note = { text: string; tone?: string }
export type StripFigure = {
  key: string
  title: string
  value: string
  /** Text after the value: its unit, or the total. */
  after?: string
  notes: readonly Note[]
  tone?: 'bad'
  help?: string
  /** The list of exactly the counted rows; absent when the user cannot open one. */
  path?: string
}

/** The figures at the top of a page of one object; a figure links to the rows that it counts. */
export function FigureStrip({ label, figures }: { label: string; figures: readonly StripFigure[] }) {
  if (figures.length === 0) return null
  return (
    <ul className="figure-strip" aria-label={label}>
      {figures.map((figure) => (
        <li key={figure.key} className="panel" data-area={figure.key} title={figure.help}>
          {figure.path === undefined ? (
            <div className="strip-figure">
              <FigureBody figure={figure} />
            </div>
          ) : (
            <Link className="strip-figure" to={figure.path}>
              <FigureBody figure={figure} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

const FigureBody = ({ figure: { title, value, after, notes, tone } }: { figure: StripFigure }) => (
  <>
    <span className="strip-figure-title">{title}</span>
    <span className="strip-figure-value">
      <strong data-tone={tone}>{value}</strong>
      {after !== undefined && <small> {after}</small>}
    </span>
    <span className="strip-figure-notes">
      {notes.map(({ text, tone: of }) => (
        <span key={text} data-tone={of}>
          {text}
        </span>
      ))}
    </span>
  </>
)
