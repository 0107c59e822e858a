import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { App } from 'antd'
import { dialogWidth } from './dialog-width.ts'
import { type Consequence, ConsequenceNote } from './Consequence.tsx'
import type { Question } from './use-confirm.ts'
import { type SubmitInput, useSubmit } from './use-submit.ts'

type Options<R extends AnyRoute> = Parameters<typeof useSubmit<R>>[1]
export type Sheet = Omit<Question, 'content' | 'okText'> & Consequence & { okText: string }

/**
 * Confirms a money or device operation with its consequences. The focus starts on 取消, so that the key that opens the
 * sheet cannot also confirm it.
 */
export function useConfirmSheet<R extends AnyRoute>(route: R, options: Options<R> = {}) {
  const { modal } = App.useApp()
  const submit = useSubmit(route, options)
  return ({ title, okText, danger = false, ...consequence }: Sheet, input: SubmitInput<R>) => {
    void modal.confirm({
      title,
      width: dialogWidth.s,
      content: <ConsequenceNote {...consequence} />,
      okText,
      cancelText: '取消',
      focusable: { autoFocusButton: 'cancel' },
      okButtonProps: { danger },
      onOk: () => submit.run(input),
    })
  }
}
