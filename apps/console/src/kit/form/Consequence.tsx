import { useId } from 'react'
import './consequence.css'

/** What a person must know before money moves or a device is told something. */
export type Consequence = {
  /** The object, the amount or the ports that are affected. Text: a question stands outside of the router, where no link works. */
  facts: readonly (readonly [label: string, value: string])[]
  effect: string
  /** Who else must agree. */
  second?: string | undefined
  /** Left out: it cannot be undone. */
  undo?: string
}

/** One block for all questions about money and devices: what is affected, what happens, and that it is final. */
export function ConsequenceNote({ facts, effect, second, undo = '执行后不能撤销' }: Consequence) {
  const id = useId()
  return (
    <section className="consequence" aria-labelledby={id} data-testid="consequence">
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p id={id} className="consequence-effect">
        {effect}
      </p>
      {second !== undefined && <p className="meta">{second}</p>}
      <p className="consequence-undo">{undo}</p>
    </section>
  )
}
