import { MoreOutlined } from '@ant-design/icons'
import { savedView, type SavedView } from '@wattdeck/contract/auth/saved-view.ts'
import { MenuButton, type MenuEntry } from '../../display/MenuButton.tsx'
import { useConfirmedSubmit } from '../../form/use-confirm.ts'
import { useSubmit } from '../../form/use-submit.ts'
import { movedViews } from './view-model.ts'

type Props = { view: SavedView; views: readonly SavedView[]; listKey: string; onEdit: () => void }
const refresh = [savedView.list]

/** The actions of the active view. */
export function ViewMenu({ view, views, listKey, onEdit }: Props) {
  const edit = useSubmit(savedView.edit, { refresh })
  const order = useSubmit(savedView.order, { refresh, feedback: 'silent' })
  const remove = useConfirmedSubmit(savedView.remove, { refresh })
  const move = (label: string, by: -1 | 1, at: string): MenuEntry => {
    const ids = movedViews(views, view.id, by)
    const disabled = ids === undefined ? `已在最${at}` : undefined
    return { label, disabled, onClick: () => void order.run({ body: { listKey, ids: ids ?? [] } }) }
  }
  const own: MenuEntry[] = [
    { label: '编辑视图', onClick: onEdit },
    {
      label: view.isDefault ? '取消默认' : '设为默认',
      onClick: () => void edit.run({ body: { id: view.id, isDefault: !view.isDefault } }),
    },
    move('左移', -1, '前'),
    move('右移', 1, '后'),
  ]
  const removing: MenuEntry = {
    label: '删除视图',
    danger: true,
    disabled: view.mayRemove ? undefined : `由 ${view.maker} 共享，仅本人或机构管理员可删除`,
    onClick: () =>
      remove(
        {
          title: `确定要删除视图「${view.name}」吗？`,
          ...(view.shared ? { content: '共享该视图的同事将不再看到它' } : {}),
          danger: true,
          okText: '删除',
        },
        { body: { id: view.id } },
      ),
  }
  return (
    <MenuButton
      type="text"
      size="small"
      icon={<MoreOutlined />}
      aria-label={`视图操作 ${view.name}`}
      entries={[...(view.own ? own : []), removing]}
    />
  )
}
