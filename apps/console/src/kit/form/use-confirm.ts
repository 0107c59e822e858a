import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { App } from 'antd'
import { type SubmitInput, useSubmit } from './use-submit.ts'

type Options<R extends AnyRoute> = Parameters<typeof useSubmit<R>>[1]
/** The question names the object: 确定要删除部门「华东区」吗？ */
export type Question = { title: string; content?: string; danger?: boolean; okText?: string }

/** The question before a removal; `what` names the object: 部门「华东区」. */
export const removal = (what: string, content = '删除后不可恢复'): Question => ({
  title: `确定要删除${what}吗？`,
  content,
  danger: true,
  okText: '删除',
})

/** Submits a change after a confirmation. */
export function useConfirmedSubmit<R extends AnyRoute>(route: R, options: Options<R> = {}) {
  const { modal } = App.useApp()
  const submit = useSubmit(route, options)
  return (question: Question, input: SubmitInput<R>) => {
    void modal.confirm({
      title: question.title,
      content: question.content,
      okText: question.okText ?? '确定',
      cancelText: '取消',
      // Enter presses the focused button, which is never the destructive one.
      focusable: { autoFocusButton: question.danger === true ? 'cancel' : 'ok' },
      okButtonProps: { danger: question.danger ?? false },
      onOk: () => submit.run(input),
    })
  }
}
