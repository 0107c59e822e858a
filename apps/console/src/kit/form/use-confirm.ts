import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { App } from 'antd'
import { type SubmitInput, useSubmit } from './use-submit.ts'

type Options<R extends AnyRoute> = Parameters<typeof useSubmit<R>>[1]
/** The question names the object: 确定要删除部门「华东区」吗？ */
export type Question = { title: string; content?: string; danger?: boolean; okText?: string }

/** A change that is asked about first. */
export function useConfirmedSubmit<R extends AnyRoute>(route: R, options: Options<R> = {}) {
  const { modal } = App.useApp()
  const submit = useSubmit(route, options)
  return (question: Question, input: SubmitInput<R>) => {
    void modal.confirm({
      title: question.title,
      content: question.content,
      okText: question.okText ?? '确定',
      cancelText: '取消',
      okButtonProps: { danger: question.danger ?? false },
      onOk: () => submit.run(input),
    })
  }
}
