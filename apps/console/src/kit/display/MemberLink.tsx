import { type MemberInfo, memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { Button, Descriptions, Popover } from 'antd'
import { useState } from 'react'
import { call } from '../api/api.ts'
import * as cells from './cells.tsx'
import { CopyId } from './CopyId.tsx'
import { MaskedText } from './MaskedText.tsx'
import { memberWarning } from './member-warning.ts'
import { mayCall } from '../api/rights.ts'
import { toast } from './toasts.ts'
import { useUser } from '../api/user.ts'

/** A member where one is named: a click shows who it is and what they have. A failure is a warning in the server's words. */
export function MemberLink({ id, name }: { id: string; name: string }) {
  const user = useUser()
  const [info, setInfo] = useState<MemberInfo>()
  const [busy, setBusy] = useState(false)
  async function show() {
    setBusy(true)
    try {
      setInfo((await call(memberInfo.info, { query: { memberId: id } })).data)
    } catch (error) {
      const warning = memberWarning(error)
      toast(warning.tone, warning.text)
    } finally {
      setBusy(false)
    }
  }
  if (!mayCall(user, memberInfo.info.access)) return name
  return (
    <Popover
      open={info !== undefined}
      trigger="click"
      title="会员详情"
      onOpenChange={(open) => (open ? void show() : setInfo(undefined))}
      content={info && <MemberFacts info={info} />}
    >
      <Button type="link" size="small" className="cell-link" loading={busy}>
        {name}
      </Button>
    </Popover>
  )
}

const MemberFacts = ({ info }: { info: MemberInfo }) => (
  <Descriptions
    bordered
    size="small"
    column={1}
    style={{ width: 320 }}
    items={[
      { key: 'nickname', label: '昵称', children: info.nickname },
      { key: 'memberId', label: '会员ID', children: <CopyId value={info.memberId} what="会员ID" /> },
      { key: 'balance', label: '余额', children: <>¥{cells.money(info.balance)}</> },
      { key: 'rechargeBalance', label: '充值余额', children: <>¥{cells.money(info.rechargeBalance)}</> },
      {
        key: 'phone',
        label: '手机号',
        children: <MaskedText value={info.phone} kind="member" id={info.memberId} field="phone" what="手机号" />,
      },
    ]}
  />
)
