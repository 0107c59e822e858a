import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { Question } from '../form/use-confirm.ts'

type Status = (typeof enabledStatus.options)[number]['value']

/** 启停 of a row with this status: the label, the new status, and the confirmation. */
export function toggleOf(status: Status, what: string, consequence?: string) {
  const disables = status === enabledStatus.code.enabled
  const label = disables ? '停用' : '启用'
  const question: Question = {
    title: `确定要${label}${what}吗？`,
    danger: disables,
    okText: label,
    ...(disables && consequence ? { content: consequence } : {}),
  }
  const next: Status = disables ? enabledStatus.code.disabled : enabledStatus.code.enabled
  return { label, question, status: next }
}
