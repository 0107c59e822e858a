import { ownFactor, type Passkey } from '@wattdeck/contract/personal/own-factor.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { canUsePasskeys } from '../../../kit/api/passkey.ts'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { takeShownCodes } from './shown-codes.ts'

const EnrolDialog = lazyPart(async () => (await import('./basic-info.enrol-dialog.tsx')).EnrolDialog)
const PasskeyDialog = lazyPart(async () => (await import('./basic-info.passkey-dialog.tsx')).PasskeyDialog)
const CodesDialog = lazyPart(async () => (await import('./basic-info.codes-dialog.tsx')).CodesDialog)

const refresh = [ownFactor.read]

/** The second factors of the user, as items of the list in their card. */
export function FactorItems({ factor }: { factor: DataOf<typeof ownFactor.read> }) {
  const { totpSince, passkeys, recoveryCodesLeft, passkeyOffered } = factor
  const [open, setOpen] = useState<'totp' | 'passkey'>()
  const [codes, setCodes] = useState(takeShownCodes)
  const renew = useConfirmedSubmit(ownFactor.renewRecoveryCodes, {
    refresh,
    feedback: 'silent',
    onDone: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  const isBound = totpSince !== null || passkeys.length > 0
  return (
    <>
      <li>
        <div>
          <h3>
            动态口令 <Tag tone={totpSince ? 'ok' : isBound ? 'off' : 'warn'}>{totpSince ? '已绑定' : '未绑定'}</Tag>
          </h3>
          <p className="meta">
            {totpSince ? <>绑定于 {cells.time(totpSince)}</> : '绑定后，登录时还需输入身份验证器上的 6 位数字'}
          </p>
        </div>
        <Button onClick={() => setOpen('totp')}>{totpSince ? '更换动态口令' : '绑定动态口令'}</Button>
      </li>
      <li>
        <div>
          <h3>
            通行密钥 <Tag tone={passkeys.length > 0 ? 'ok' : 'off'}>{passkeys.length > 0 ? '已绑定' : '未绑定'}</Tag>
          </h3>
          <p className="meta">
            {passkeyOffered ? '用指纹、人脸、PIN 码或安全密钥代替动态口令' : '当前系统的访问地址不支持通行密钥'}
          </p>
        </div>
        {passkeyOffered && canUsePasskeys() && <Button onClick={() => setOpen('passkey')}>添加</Button>}
      </li>
      {passkeys.map((one) => (
        <PasskeyItem key={one.id} passkey={one} />
      ))}
      {isBound && (
        <li>
          <div>
            <h3>
              恢复码 <Tag tone={recoveryCodesLeft > 2 ? 'ok' : 'warn'}>{`剩余 ${String(recoveryCodesLeft)} 个`}</Tag>
            </h3>
            <p className="meta">丢失验证方式时，可用恢复码登录</p>
          </div>
          <Button onClick={() => renew({ title: '确定要重新生成恢复码吗？', content: '原有恢复码将全部失效。' }, {})}>
            重新生成
          </Button>
        </li>
      )}
      {open === 'totp' && <EnrolDialog onClose={() => setOpen(undefined)} />}
      {open === 'passkey' && <PasskeyDialog onClose={() => setOpen(undefined)} />}
      {codes.length > 0 && <CodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  )
}

function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const remove = useConfirmedSubmit(ownFactor.removePasskey, { refresh })
  const { id, name, createdAt, lastUsedAt } = passkey
  return (
    <li className="passkey">
      <div>
        <h3>{name}</h3>
        <p className="meta">
          添加于 {cells.time(createdAt)}
          {lastUsedAt && <>，最近使用 {cells.ago(lastUsedAt)}</>}
        </p>
      </div>
      <Button
        aria-label={`移除通行密钥 ${name}`}
        onClick={() =>
          remove(
            {
              title: `确定要移除通行密钥「${name}」吗？`,
              content: '移除后不能再用它登录。',
              danger: true,
              okText: '移除',
            },
            { body: { id } },
          )
        }
      >
        移除
      </Button>
    </li>
  )
}
