import type { ReactNode } from 'react'

type Props = { code: string; title: string; children?: ReactNode; actions: ReactNode }

/** One centred message on a page: the result and the next actions. */
export function ResultPane({ code, title, children, actions }: Props) {
  return (
    <div className="result-pane">
      <div className="result-code" aria-hidden>
        {code}
      </div>
      <h1>{title}</h1>
      {children && <div className="result-note">{children}</div>}
      <div className="result-actions">{actions}</div>
    </div>
  )
}
