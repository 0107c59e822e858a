import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { type Merchant, type MerchantKey, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Alert, Button, Descriptions, Drawer, Empty, Input } from 'antd'
import { useState } from 'react'
import { CopyId } from '../kit/CopyId.tsx'
import { Field } from '../kit/Field.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { useDetail } from '../kit/queries.ts'
import { ReasonButton } from '../kit/ReasonButton.tsx'
import { useConfirmedSubmit } from '../kit/use-confirm.ts'
import { useNarrow } from '../kit/use-narrow.ts'
import './accounting.css'

const refresh = [paySetting.list]
const mostKeys = 2

/** The keys of a merchant: two live side by side while both sides change over. */
export function KeysDrawer({ of, merchantId, onClose }: { of: Merchant; merchantId: string; onClose: () => void }) {
  const narrow = useNarrow()
  const [adding, setAdding] = useState(false)
  const list = useDetail(paySetting.list, { query: { organiseId: of.organiseId, pageSize: 500 } })
  const keys = (list.data?.rows.find(({ id }) => id === merchantId) ?? of).keys
  const full = keys.length >= mostKeys ? '已有两把生效中的密钥，请先停用旧密钥' : undefined
  return (
    <Drawer
      open
      title={`密钥：${of.name}`}
      size={narrow ? '100%' : 680}
      onClose={onClose}
      extra={
        <ReasonButton type="primary" reason={full} onClick={() => setAdding(true)}>
          上传密钥
        </ReasonButton>
      }
    >
      <Alert
        className="key-note"
        type="info"
        showIcon
        title="轮换时先上传新密钥：新密钥立即用于签名，新旧密钥的通知均有效；渠道侧切换完成后再停用旧密钥"
      />
      <p className="meta">
        回调地址：
        <CopyId value={of.notifyUrl} what="回调地址" />
      </p>
      {keys.length === 0 && <Empty description="尚未上传密钥" />}
      {keys.map((key, place) => (
        <KeyCard key={key.id} merchantId={of.id} of={key} signs={place === 0} />
      ))}
      {adding && <KeyDialog of={of} onClose={() => setAdding(false)} />}
    </Drawer>
  )
}

function KeyCard({ merchantId, of, signs }: { merchantId: string; of: MerchantKey; signs: boolean }) {
  const retire = useConfirmedSubmit(paySetting.retireKey, { refresh })
  return (
    <section className="key-card">
      <header>
        <strong>{signs ? '当前签名密钥' : '旧密钥（仍可验证通知）'}</strong>
        <Button
          danger
          size="small"
          onClick={() =>
            retire(
              {
                title: `确定要停用密钥「${of.serial.slice(0, 12)}」吗？`,
                content: '停用后不再用于签名，由它验证的通知也不再接受',
                danger: true,
                okText: '停用',
              },
              { body: { id: merchantId, keyId: of.id } },
            )
          }
        >
          停用
        </Button>
      </header>
      <Descriptions
        size="small"
        column={1}
        items={[
          { key: 'serial', label: '证书序列号', children: <CopyId value={of.serial} what="证书序列号" /> },
          { key: 'provider', label: '渠道公钥ID', children: <CopyId value={of.providerKeyId} what="渠道公钥ID" /> },
          { key: 'secret', label: '商户私钥', children: '••••••••（不可查看）' },
          { key: 'by', label: '上传', children: `${of.createdBy}，${of.createdAt}` },
        ]}
      />
    </section>
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
      toBody={(values) => ({ ...values, id: of.id }) as BodyOf<typeof paySetting.addKey>}
      refresh={refresh}
      onClose={onClose}
    >
      {wechat && (
        <Field name="serial" label="证书序列号" required help="商户API证书的序列号">
          <Input autoComplete="off" />
        </Field>
      )}
      <Field name="privateKey" label="商户私钥" help={wechat ? 'apiclient_key.pem 的内容' : '应用私钥（PKCS8）'}>
        <Input.TextArea {...pem} />
      </Field>
      {wechat && (
        <Field name="apiV3Key" label="APIv3密钥" required help="32个字符">
          <Input.Password autoComplete="new-password" />
        </Field>
      )}
      {wechat && (
        <Field name="providerKeyId" label="渠道公钥ID" required help="PUB_KEY_ID_ 开头，或平台证书序列号">
          <Input autoComplete="off" />
        </Field>
      )}
      <Field
        name="providerKey"
        label="渠道公钥"
        help={wechat ? '微信支付公钥，或平台证书' : '支付宝公钥，不是应用公钥'}
      >
        <Input.TextArea {...pem} />
      </Field>
    </FormDialog>
  )
}
