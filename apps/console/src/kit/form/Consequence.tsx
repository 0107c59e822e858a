import { useId } from 'react'
import './consequence.css'

/** Facts that the user must see before a money or device operation. */
export type Consequence = {
  /** The affected object, amount or ports. Text only: a confirmation renders outside the router, where no link works. */
  facts: readonly (readonly [label: string, value: string])[]
  effect: string
  /** The second person who must approve. */
  second?: string | undefined
  /** Default: it cannot be undone. */
  undo?: string
}

/** The block of every money or device confirmation: what is affected, what happens, and whether it can be undone. */
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
