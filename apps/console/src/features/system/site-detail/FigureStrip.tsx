import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { Link } from 'react-router'
import { grantedKeys } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import { type SiteFigure, siteFigures } from './site-figures.ts'
import './site-detail.css'

/** What stands at the site now and what today has brought; a figure leads to the rows that it counts. */
export function FigureStrip({ site }: { site: SiteDetail }) {
  const user = useUser()
  const figures = siteFigures(site, grantedKeys(user?.menuTree ?? []))
  if (figures.length === 0) return null
  return (
    <ul className="site-figures" aria-label="站点概况">
      {figures.map((figure) => (
        <li key={figure.key} className="panel" data-area={figure.key} title={figure.help}>
          {figure.path === undefined ? (
            <div className="site-figure">
              <FigureBody figure={figure} />
            </div>
          ) : (
            <Link className="site-figure" to={figure.path}>
              <FigureBody figure={figure} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

const FigureBody = ({ figure: { title, value, after, notes, tone } }: { figure: SiteFigure }) => (
  <>
    <span className="site-figure-title">{title}</span>
    <span className="site-figure-value">
      <strong data-tone={tone}>{value}</strong>
      {after !== undefined && <small> {after}</small>}
    </span>
    <span className="site-figure-notes">
      {notes.map(({ text, tone: of }) => (
        <span key={text} data-tone={of}>
          {text}
        </span>
      ))}
    </span>
  </>
)
