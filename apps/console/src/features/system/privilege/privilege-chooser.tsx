import { Alert, Button, Input, Switch } from 'antd'
import { useState } from 'react'
import { EmptyPane } from '../../../kit/display/States.tsx'
import { PrivilegeTree } from './privilege-tree.tsx'
import { type Choice, chooseAll, chooseNone, type Offer, offeredMenus, searchMenus } from './privilege.ts'
import '../_shared/system.css'

type Props = { offer: Offer; choice: Choice; onChange: (choice: Choice) => void }

/** A tree to select menus and actions, limited to those of the caller. */
export function PrivilegeChooser({ offer, choice, onChange }: Props) {
  const [text, setText] = useState('')
  const menus = searchMenus(offeredMenus(offer), text)
  return (
    <>
      <Alert
        className="dialog-alert"
        type="info"
        showIcon
        title="仅列出您自己拥有的权限。勾选菜单即可查看该页面，操作需单独勾选。"
      />
      <div className="choice-head">
        <Input
          allowClear
          className="choice-search"
          value={text}
          placeholder="搜索菜单"
          aria-label="搜索菜单"
          onChange={(event) => setText(event.target.value)}
        />
        <Button onClick={() => onChange(chooseAll(offer, choice))}>全选</Button>
        <Button onClick={() => onChange(chooseNone(offer, choice))}>清空</Button>
        {offer.mayGrantUnmask && (
          <label className="choice-unmask" htmlFor="can-unmask">
            <Switch id="can-unmask" checked={choice.unmask} onChange={(unmask) => onChange({ ...choice, unmask })} />
            查看明文
            <span className="meta">可查看手机号等个人信息的完整内容，每次查看均记入日志</span>
          </label>
        )}
      </div>
      <div className="choice-box">
        {menus.length === 0 ? (
          <EmptyPane filtered={text !== ''} onClear={() => setText('')} />
        ) : (
          <PrivilegeTree menus={menus} offer={offer} choice={choice} onChange={onChange} />
        )}
      </div>
    </>
  )
}
