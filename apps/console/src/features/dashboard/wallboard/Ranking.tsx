import type { ReactNode } from 'react'

export type RankItem = { key: string; name: string; value: number; text: ReactNode; onClick?: (() => void) | undefined }

/** Ten bars, longest first; a click opens the region or site where there is one. */
export function Ranking({ items }: { items: readonly RankItem[] }) {
  const most = Math.max(...items.map(({ value }) => value), 0)
  return (
    <ol className="wallboard-ranking">
      {items.map(({ key, name, value, text, onClick }, place) => {
        const line = (
          <>
            <i data-top={place < 3 ? true : undefined}>{place + 1}</i>
            <span className="one-line" title={name}>
              {name}
            </span>
            <span className="wallboard-bar">
              <b style={{ transform: `scaleX(${most === 0 ? 0 : value / most})` }} />
            </span>
            <em>{text}</em>
          </>
        )
        return (
          <li key={key}>
            {onClick ? (
              <button type="button" onClick={onClick}>
                {line}
              </button>
            ) : (
              <div>{line}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
