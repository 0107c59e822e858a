import type { organise } from '@wattdeck/contract/system/organise.ts'
import type { staff } from '@wattdeck/contract/system/staff.ts'
import { Alert, Button, Descriptions, Modal } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import './system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Link = { url: string; expiresAt: string }
type Props = {
  route: typeof staff.quickLogin | typeof organise.quickLogin
  id: string
  title: string
  onClose: () => void
}

/** A one-time login link for another user, shown only here. */
export function QuickLoginDialog({ route, id, title, onClose }: Props) {
  const [link, setLink] = useState<Link>()
  const submit = useSubmit(route, {
    feedback: 'inline',
    onDone: ({ ticket, expiresAt }) =>
      setLink({ url: `${globalThis.location.origin}/fastLogin?ticket=${encodeURIComponent(ticket)}`, expiresAt }),
  })
  return (
    <Modal
      open
      title={title}
      width={dialogWidth.s}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        link ? (
          <>
            <Button href={link.url} target="_blank" rel="noopener">
              在新标签页打开
            </Button>
            <Button type="primary" onClick={onClose}>
              关闭
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>取消</Button>
            <Button type="primary" loading={submit.pending} onClick={() => void submit.run({ body: { id } })}>
              生成链接
            </Button>
          </>
        )
      }
    >
      <Alert
        className="dialog-alert"
        type="warning"
        showIcon
        title="持有链接的人无需密码即可以该账号的身份登录，请勿公开传播"
        description="链接仅可使用一次，逾期自动失效；生成和使用都会记入操作日志。"
      />
      {submit.texts.length > 0 && (
        <Alert className="dialog-alert" type="error" showIcon title={submit.texts.join('；')} />
      )}
      {link && (
        <Descriptions
          className="dialog-facts"
          column={1}
          bordered
          size="small"
          items={[
            {
              key: 'url',
              label: '登录链接',
              children: (
                <span className="long-link">
                  <CopyId value={link.url} what="登录链接" />
                </span>
              ),
            },
            { key: 'expiresAt', label: '有效期至', children: cells.time(link.expiresAt) },
            { key: 'uses', label: '可用次数', children: '1 次' },
          ]}
        />
      )}
    </Modal>
  )
}
