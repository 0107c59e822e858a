import {
  helpDocument,
  type HelpDocument,
  type HelpDocumentEntry,
  helpDocumentStatus,
} from '@wattdeck/contract/system/help-document.ts'
import { mayCall } from '../../../kit/api/rights.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { useUser } from '../../../kit/api/user.ts'

/** An existing document, or a new one. */
export type HelpDraft = { document?: HelpDocument }

export const helpChanges = { refresh: [helpDocument.list, helpDocument.detail] }
const { draft, published } = helpDocumentStatus.code

export type HelpTools = {
  /** All documents in the order of the tree; undefined while a filter hides some. */
  order: readonly HelpDocumentEntry[] | undefined
  edit: (draft: HelpDraft) => void
  onRemoved: () => void
}

/** The actions of editors on one document. */
export function useHelpActions({ order, edit, onRemoved }: HelpTools) {
  const user = useUser()
  const move = useSubmit(helpDocument.move, helpChanges)
  const toggle = useConfirmedSubmit(helpDocument.toggle, helpChanges)
  // The displayed document is removed; fetching it again would only fail.
  const remove = useConfirmedSubmit(helpDocument.remove, { refresh: [helpDocument.list], onDone: onRemoved })

  return function actionsFor(document: HelpDocument): RowAction[] {
    const { id, title } = document
    const isDraft = document.status === draft
    const question = isDraft
      ? { title: `确定要发布文档「${title}」吗？`, content: '发布后所有登录用户可见', okText: '发布' }
      : { title: `确定要下线文档「${title}」吗？`, content: '下线后仅平台管理员可见', okText: '下线' }
    const siblings = order?.filter((entry) => entry.type === document.type)
    const moveTo = (direction: 'up' | 'down') => ({
      label: direction === 'up' ? '上移' : '下移',
      route: helpDocument.move,
      disabled: whyNotMoved(siblings, id, direction),
      onClick: () => void move.run({ body: { id, direction } }),
    })
    const all: RowAction[] = [
      { label: '编辑', route: helpDocument.edit, onClick: () => edit({ document }) },
      {
        label: isDraft ? '发布' : '下线',
        route: helpDocument.toggle,
        onClick: () => toggle(question, { body: { id, status: isDraft ? published : draft } }),
      },
      moveTo('up'),
      moveTo('down'),
      {
        label: '删除',
        route: helpDocument.remove,
        danger: true,
        onClick: () => remove(removal(`文档「${title}」`), { body: { id } }),
      },
    ]
    return all.filter(({ route }) => route && mayCall(user, route.access))
  }
}

function whyNotMoved(siblings: readonly HelpDocumentEntry[] | undefined, id: string, direction: 'up' | 'down') {
  if (!siblings) return '请先清除搜索再调整顺序'
  if (direction === 'up') return siblings.at(0)?.id === id ? '已经是第一篇文档' : undefined
  return siblings.at(-1)?.id === id ? '已经是最后一篇文档' : undefined
}
