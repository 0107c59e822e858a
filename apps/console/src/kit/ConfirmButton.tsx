import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button, type ButtonProps } from 'antd'
import { useCan } from './Can.tsx'
import { type Question, useConfirmedSubmit } from './use-confirm.ts'
import type { SubmitInput } from './use-submit.ts'

type Props<R extends AnyRoute> = {
  route: R
  question: Question
  input: SubmitInput<R>
  refresh?: readonly AnyRoute[]
  onDone?: () => void
} & Omit<ButtonProps, 'onClick'>

/** A button for a change that is asked about first; only for those who may do it. */
export function ConfirmButton<R extends AnyRoute>({ route, question, input, refresh, onDone, ...button }: Props<R>) {
  const ask = useConfirmedSubmit(route, { ...(refresh ? { refresh } : {}), ...(onDone ? { onDone } : {}) })
  if (!useCan(route)) return null
  return <Button danger={question.danger ?? false} {...button} onClick={() => ask(question, input)} />
}
