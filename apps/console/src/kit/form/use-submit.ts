import type { AnyRoute, DataOf } from '@wattdeck/contract/kit/route.ts'
import { App } from 'antd'
import { useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { call, type CallInput } from '../api/api.ts'
import { endsSession, submitTexts } from '../api/error-handling.ts'
import { idempotencyKeys } from '../api/idempotency.ts'
import { type MarkedForm, markFields } from './mark-fields.ts'
import { refetchRoutes } from '../api/queries.ts'

type Options<R extends AnyRoute> = {
  /** Routes to refetch after success. */
  refresh?: readonly AnyRoute[]
  onDone?: (data: DataOf<R>) => void
  onFailed?: (error: unknown) => void
  /** 'inline': the caller shows the error `texts`. 'silent': no success message. 'quiet': both. */
  feedback?: 'toast' | 'inline' | 'silent' | 'quiet'
  /** The submitted form: the server's errors of its fields are shown there, too. */
  form?: MarkedForm
}
export type SubmitInput<R extends AnyRoute> = Pick<CallInput<R>, 'params' | 'body' | 'file'>

/** Submit behaviour of spec §5: shows the server's message, and refetches the lists after success. */
export function useSubmit<R extends AnyRoute>(route: R, options: Options<R> = {}) {
  const { message } = App.useApp()
  const keys = useRef<ReturnType<typeof idempotencyKeys>>(undefined)
  const running = useRef(false)
  const [pending, setPending] = useState(false)
  const [texts, setTexts] = useState<readonly string[]>([])

  async function send(input: SubmitInput<R>): Promise<boolean> {
    keys.current ??= idempotencyKeys()
    const idempotencyKey = keys.current.keyFor(JSON.stringify([input.params, input.body, input.file?.size]))
    try {
      const reply = await call(route, { ...input, idempotencyKey })
      keys.current.succeeded()
      if (options.feedback !== 'silent' && options.feedback !== 'quiet')
        void message.success(reply.message || '操作成功')
      void refetchRoutes(options.refresh ?? [])
      options.onDone?.(reply.data)
      return true
    } catch (error) {
      // The shell reports an ended session.
      if (error instanceof ApiError && endsSession(error.status, route.access)) return false
      const lines = submitTexts(error)
      setTexts(lines)
      if (options.feedback !== 'inline' && options.feedback !== 'quiet') void message.error(lines.join('；'))
      if (options.form && error instanceof ApiError) markFields(options.form, error.fields)
      options.onFailed?.(error)
      return false
    }
  }

  /** Resolves to whether it succeeded; a second run while the first is pending does nothing. */
  async function run(input: SubmitInput<R> = {}): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setPending(true)
    setTexts([])
    try {
      return await send(input)
    } finally {
      running.current = false
      setPending(false)
    }
  }

  return { run, pending, texts }
}
