import { alipayAuth } from '@wattdeck/contract/auth/alipay-auth.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { QrPicture } from '../../../kit/media/QrPicture.tsx'
import { routeKey } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import './system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { organise: { id: string; name: string }; onClose: () => void }
/** `before` distinguishes the authorisation of this link from the existing one. */
type Link = { url: string; expiresAt: string; before: string | undefined }
type Current = DataOf<typeof alipayAuth.current>
const pollMs = 5000

/** Creates an invitation to authorise an Alipay account for an organisation, and shows the current account. */
export function AlipayInviteDialog({ organise, onClose }: Props) {
  const [link, setLink] = useState<Link>()
  const query = { organiseId: organise.id }
  // Polled while a link is displayed, to show its use.
  const current = useQuery({
    queryKey: routeKey(alipayAuth.current, {}, query),
    queryFn: async ({ signal }) => (await call(alipayAuth.current, { query, signal })).data,
    refetchInterval: link ? pollMs : false,
  })
  const authorisedAt = current.data?.authorisation?.authorisedAt
  const submit = useSubmit(alipayAuth.invite, {
    feedback: 'quiet',
    refresh: [alipayAuth.current],
    onDone: ({ invite, expiresAt }) =>
      setLink({
        url: `${globalThis.location.origin}/alipayAuth?invite=${encodeURIComponent(invite)}`,
        expiresAt,
        before: authorisedAt,
      }),
  })
  const pending = current.data?.invite
  return (
    <Modal
      open
      title={`支付宝授权：${organise.name}`}
      width={dialogWidth.s}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {!link && (
            <Can route={alipayAuth.invite}>
              <Button type="primary" loading={submit.pending} onClick={() => void submit.run({ body: query })}>
                {pending ? '重新生成邀请' : '生成邀请'}
              </Button>
            </Can>
          )}
        </>
      }
    >
      <FailureAlert texts={submit.texts} />
      <States query={current} rows={3}>
        {(data) => <Facts current={data} />}
      </States>
      {link ? (
        <Invitation link={link} used={authorisedAt !== link.before} />
      ) : (
        <Can route={alipayAuth.invite}>
          <Alert
            className="dialog-alert"
            type="info"
            showIcon
            title="将邀请链接发给支付宝账号的持有人，由其本人在支付宝中确认授权"
            description="链接 24 小时内有效、仅可使用一次；重新生成后，之前的链接立即失效。"
          />
        </Can>
      )}
    </Modal>
  )
}

function Facts({ current: { authorisation, invite } }: { current: Current }) {
  const items = [
    {
      key: 'account',
      label: '授权账号',
      children: authorisation ? authorisation.account : <Tag tone="off">未授权</Tag>,
    },
    { key: 'at', label: '授权时间', children: cells.time(authorisation?.authorisedAt) },
    {
      key: 'invite',
      label: '待使用的邀请',
      children: invite ? `${invite.createdBy} 于 ${invite.createdAt} 生成，有效期至 ${invite.expiresAt}` : '无',
    },
  ]
  return <Descriptions className="dialog-facts" column={1} bordered size="small" items={items} />
}

/** The server stores only a hash, so the link can be read only here. */
function Invitation({ link, used }: { link: Link; used: boolean }) {
  if (used) return <Alert className="dialog-alert" type="success" showIcon title="邀请已使用，授权已完成" />
  return (
    <>
      <Alert className="dialog-alert" type="warning" showIcon title="邀请链接仅显示这一次，关闭后无法再次查看" />
      <div className="invite-link">
        <QrPicture value={link.url} label="授权邀请二维码" size={160} />
        <div>
          <span className="long-link">
            <CopyId value={link.url} what="邀请链接" />
          </span>
          <p className="meta">有效期至 {cells.time(link.expiresAt)}</p>
        </div>
      </div>
    </>
  )
}
