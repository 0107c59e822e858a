import { Modal, Switch } from 'antd'
import { useState } from 'react'
import type { MenuItem } from './menu/menu-model.ts'
import { centreLetters } from './shortcut-model.ts'
import { setSingleKeys, singleKeysOn } from './use-shortcuts.ts'
import { dialogWidth } from '../kit/form/dialog-width.ts'

export default function ShortcutSheet({ menu, onClose }: { menu: readonly MenuItem[]; onClose: () => void }) {
  const [on, setOn] = useState(singleKeysOn)
  const keys: [string, string][] = [
    ['Ctrl K / ⌘ K', '搜索菜单、记录与命令'],
    ['?', '显示快捷键'],
    ['J', '下一行'],
    ['K', '上一行'],
    ['X', '选择所在行'],
    ['Enter', '打开所在行的首个操作'],
    ['/', '定位到筛选'],
    ['R', '刷新列表'],
    ['N', '新增'],
    ['Esc', '关闭弹窗'],
    ...[...centreLetters(menu)].map(([letter, centre]): [string, string] => [
      `G ${letter.toUpperCase()}`,
      `前往${centre.title}`,
    ]),
  ]
  return (
    <Modal open title="快捷键" width={dialogWidth.s} footer={null} onCancel={onClose}>
      <dl className="shortcut-list">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="shortcut-switch">
        <Switch
          aria-labelledby="single-keys"
          checked={on}
          onChange={(next) => {
            setOn(next)
            setSingleKeys(next)
          }}
        />
        <span id="single-keys">启用单键快捷键（输入文字时不会触发）</span>
      </div>
    </Modal>
  )
}
