/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no elements for a list that a text field controls */
import { SearchOutlined } from '@ant-design/icons'
import { Modal } from 'antd'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { MenuItem } from '../menu/menu-model.ts'
import type { Overlay } from '../overlays.ts'
import { type Choice, isLocal, withRecent } from './palette-model.ts'
import { storeRecent, readRecent, usePaletteChoices } from './use-palette-choices.ts'
import { dialogWidth } from '../../kit/form/dialog-width.ts'

type Props = { menu: readonly MenuItem[]; onClose: () => void; onOpen: (overlay: Overlay) => void }

/** Ctrl K: menus by name or pinyin initials, records, commands. */
export default function CommandPalette({ menu, onClose, onOpen }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [waiting, setWaiting] = useState(false)
  const { choices, searching, isStale } = usePaletteChoices(text, menu, onOpen)
  const active = choices[Math.min(at, choices.length - 1)]

  function choose(choice: Choice | undefined, newTab: boolean) {
    if (!choice) return
    onClose()
    if (choice.id.startsWith('menu:')) storeRecent(withRecent(readRecent(), choice.id))
    choice.run?.()
    if (choice.path && newTab) globalThis.open(choice.path, '_blank', 'noopener')
    else if (choice.path) void navigate(choice.path)
  }
  function onKeyDown(event: KeyboardEvent) {
    const count = Math.max(1, choices.length)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: count - 1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((Math.min(at, count - 1) + step) % count)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const newTab = event.ctrlKey || event.metaKey
    // The results may belong to the previous text: Enter opens only a result of the current one.
    if (isStale || (searching && !isLocal(active))) setWaiting(true)
    else choose(active, newTab)
  }
  const openFound = useEffectEvent(() => {
    choose(choices.find(({ exact }) => exact) ?? (isLocal(active) || at > 0 ? active : undefined), false)
  })
  useEffect(() => {
    if (waiting && !searching && !isStale) openFound()
  }, [waiting, searching, isStale])

  return (
    <Modal
      open
      className="palette"
      width={dialogWidth.s}
      footer={null}
      closable={false}
      onCancel={onClose}
      title="命令面板"
    >
      <div className="palette-input">
        <SearchOutlined />
        <input
          // The user opens the palette to type into it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-label="搜索菜单、记录与命令"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={active ? `choice-${active.id}` : undefined}
          placeholder="搜索设备、订单、会员、站点、工单、员工、菜单、命令…"
          maxLength={64}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setWaiting(false)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Choices choices={choices} active={active} onChoose={(choice) => choose(choice, false)} />
      {choices.length === 0 && <output className="palette-empty">{searching ? '正在搜索…' : '没有匹配的结果'}</output>}
      <footer className="palette-foot">
        <kbd>↑↓</kbd> 选择 <kbd>Enter</kbd> 打开 <kbd>Ctrl Enter</kbd> 新标签打开 <kbd>Esc</kbd> 关闭
      </footer>
    </Modal>
  )
}

type ChoicesProps = { choices: readonly Choice[]; active: Choice | undefined; onChoose: (choice: Choice) => void }

function Choices({ choices, active, onChoose }: ChoicesProps) {
  const groups = Map.groupBy(choices, (choice) => choice.group)
  return (
    <div id="palette-list" className="palette-list" role="listbox" aria-label="结果">
      {[...groups].map(([group, members]) => (
        <div key={group} role="group" aria-label={group}>
          <div className="palette-group" aria-hidden>
            {group}
          </div>
          {members.map((choice) => (
            <div
              key={choice.id}
              id={`choice-${choice.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={choice === active}
              ref={choice === active ? intoView : null}
              onMouseDown={(event) => {
                event.preventDefault()
                onChoose(choice)
              }}
            >
              {choice.title}
              {choice.note && <span className="meta">{choice.note}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
