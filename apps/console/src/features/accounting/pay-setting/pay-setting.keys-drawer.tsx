import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { keyState, type Merchant, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Drawer, Empty, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { routeKey } from '../../../kit/api/queries.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { KeyCard } from './pay-setting.key-card.tsx'
import { TextField, LinesField } from '../../../kit/form/fields/TextField.tsx'
import '../_shared/accounting.css'

const refresh = [paySetting.list]
const mostKeys = 2

const pollMs = 2000

/** Polled while an action of the platform or the provider is pending. */
function useKeys(of: Merchant, merchantId: string): Merchant['keys'] {
  const query = { organiseId: of.organiseId, pageSize: 500 }
  const keysIn = (rows: readonly Merchant[] | undefined) => (rows?.find(({ id }) => id === merchantId) ?? of).keys
  const { data } = useQuery({
    queryKey: routeKey(paySetting.list, {}, query),
    queryFn: async ({ signal }) => (await call(paySetting.list, { query, signal })).data,
    refetchInterval: ({ state }) =>
      keysIn(state.data?.rows).some((key) => key.state !== keyState.code.live) ? pollMs : false,
  })
  return keysIn(data?.rows)
}

/** The keys of a merchant: two may be live while both sides change over. */
export function KeysDrawer({ of, merchantId, onClose }: { of: Merchant; merchantId: string; onClose: () => void }) {
  const narrow = useNarrow()
  const [adding, setAdding] = useState(false)
  const keys = useKeys(of, merchantId)
  const full = keys.length >= mostKeys ? '已有两把密钥，请先停用或撤销其中一把' : undefined
  const signing = keys.find(({ state }) => state === keyState.code.live)?.id
  return (
    <Drawer
      open
      title={`密钥：${of.name}`}
      size={narrow ? '100%' : 680}
      onClose={onClose}
      extra={
        <Can route={paySetting.addKey}>
          <ReasonButton type="primary" reason={full} onClick={() => setAdding(true)}>
            上传密钥
          </ReasonButton>
        </Can>
      }
    >
      <Alert
        className="key-note"
        type="info"
        showIcon
        title="新密钥须由平台审批，并用它向渠道查询成功后才生效。生效后用于签名，新旧密钥的通知均有效；渠道侧切换完成后再停用旧密钥"
      />
      <p className="meta">
        回调地址：
        <CopyId value={of.notifyUrl} what="回调地址" />
      </p>
      {keys.length === 0 && <Empty description="尚未上传密钥" />}
      {keys.map((key) => (
        <KeyCard key={key.id} merchant={of} of={key} signs={key.id === signing} />
      ))}
      {adding && <KeyDialog of={of} onClose={() => setAdding(false)} />}
    </Drawer>
  )
}

const pem = { rows: 4, autoComplete: 'off', spellCheck: false, className: 'key-text' } as const

function KeyDialog({ of, onClose }: { of: Merchant; onClose: () => void }) {
  const wechat = of.provider === payProvider.code.wechat
  return (
    <FormDialog
      title={`上传密钥：${of.name}`}
      route={paySetting.addKey}
      size={780}
      okText="上传"
      also={{ id: of.id }}
      refresh={refresh}
      onClose={onClose}
    >
      {wechat && <TextField name="serial" label="证书序列号" required help="商户API证书的序列号" />}
      <LinesField
        name="privateKey"
        label="商户私钥"
        help={wechat ? 'apiclient_key.pem 的内容' : '应用私钥（PKCS8）'}
        {...pem}
      />
      {wechat && (
        <Field name="apiV3Key" label="APIv3密钥" required help="32个字符">
          <Input.Password autoComplete="new-password" />
        </Field>
      )}
      {wechat && (
        <TextField name="providerKeyId" label="渠道公钥ID" required help="PUB_KEY_ID_ 开头，或平台证书序列号" />
      )}
      <LinesField
        name="providerKey"
        label="渠道公钥"
        help={wechat ? '微信支付公钥，或平台证书' : '支付宝公钥，不是应用公钥'}
        {...pem}
      />
    </FormDialog>
  )
}
