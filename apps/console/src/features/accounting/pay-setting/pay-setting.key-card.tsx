import { keyState, type Merchant, type MerchantKey, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Alert, Button, Descriptions, Input, Space } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'

const refresh = [paySetting.list]
const { waiting, live } = keyState.code
const shortName = ({ serial }: MerchantKey) => `密钥「${serial.slice(0, 12)}」`
type Props = { merchant: Merchant; of: MerchantKey; signs: boolean }

const notes: Record<MerchantKey['state'], string> = {
  1: '审批前不用于签名，也不用于验证通知',
  2: '系统正用该密钥向渠道查询，渠道的答复验证通过后自动生效；24小时内未通过则作废',
  3: '生效首日的支付通知须经渠道查单确认后入账',
}

/** One key with where it stands: asked for, approved, live. */
export function KeyCard({ merchant, of, signs }: Props) {
  const by = (name: string | null, at: string | null) => (name === null ? '—' : `${name}，${at ?? ''}`)
  return (
    <section className="key-card" aria-label={shortName(of)}>
      <header>
        <Space>
          <strong>{titleOf(of, signs)}</strong>
          <StatusTag of={keyState} value={of.state} />
        </Space>
        <KeyActions merchant={merchant} of={of} />
      </header>
      {of.words !== null && <Alert className="key-note" type="warning" showIcon title={of.words} />}
      <Descriptions
        size="small"
        column={1}
        items={[
          { key: 'serial', label: '证书序列号', children: <CopyId value={of.serial} what="证书序列号" /> },
          { key: 'provider', label: '渠道公钥ID', children: <CopyId value={of.providerKeyId} what="渠道公钥ID" /> },
          {
            key: 'print',
            label: '渠道公钥指纹',
            children: <CopyId value={of.providerPrint} what="渠道公钥指纹（SHA-256）" />,
          },
          { key: 'secret', label: '商户私钥', children: '••••••••（不可查看）' },
          { key: 'by', label: '提交', children: by(of.createdBy, of.createdAt) },
          { key: 'approved', label: '批准', children: by(of.approvedBy, of.approvedAt) },
          { key: 'live', label: '生效', children: of.liveAt ?? '—' },
        ]}
      />
      <p className="meta">{notes[of.state]}</p>
    </section>
  )
}

function titleOf({ state }: MerchantKey, signs: boolean): string {
  if (state !== live) return '新密钥'
  return signs ? '当前签名密钥' : '旧密钥（仍可验证通知）'
}

function KeyActions({ merchant, of }: Omit<Props, 'signs'>) {
  const [declining, setDeclining] = useState(false)
  const retire = useConfirmedSubmit(paySetting.retireKey, { refresh })
  const approve = useConfirmedSubmit(paySetting.approveKey, { refresh })
  const body = { id: merchant.id, keyId: of.id }
  const own = of.own ? '不能审批自己提交的密钥' : undefined
  const retires = of.state === live
  return (
    <Space>
      {of.state === waiting && (
        <Can route={paySetting.approveKey}>
          <ReasonButton
            type="primary"
            size="small"
            reason={own}
            onClick={() =>
              approve(
                {
                  title: `确定要批准${shortName(of)}吗？`,
                  content: `${merchant.organiseName}，商户号 ${merchant.merchantNo}，由${of.createdBy}提交。请先在渠道后台核对公钥指纹：${of.providerPrint}`,
                  okText: '批准',
                },
                { body },
              )
            }
          >
            批准
          </ReasonButton>
          <ReasonButton size="small" reason={own} onClick={() => setDeclining(true)}>
            驳回
          </ReasonButton>
        </Can>
      )}
      <Can route={paySetting.retireKey}>
        <Button
          danger
          size="small"
          onClick={() =>
            retire(
              {
                title: `确定要${retires ? '停用' : '撤回'}${shortName(of)}吗？`,
                content: retires ? '停用后不再用于签名，由它验证的通知也不再接受' : '撤回后须重新上传并审批',
                danger: true,
                okText: retires ? '停用' : '撤回',
              },
              { body },
            )
          }
        >
          {retires ? '停用' : '撤回'}
        </Button>
      </Can>
      {declining && (
        <FormDialog
          title={`驳回${shortName(of)}`}
          route={paySetting.declineKey}
          okText="驳回"
          toBody={(values) => ({ ...values, ...body }) as BodyOf<typeof paySetting.declineKey>}
          refresh={refresh}
          onClose={() => setDeclining(false)}
        >
          <Field name="reason" label="驳回原因">
            <Input.TextArea rows={2} maxLength={200} showCount />
          </Field>
        </FormDialog>
      )}
    </Space>
  )
}
