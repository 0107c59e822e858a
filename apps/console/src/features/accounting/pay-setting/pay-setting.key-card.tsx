import { keyState, type Merchant, type MerchantKey, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { Alert, Button, Descriptions, Space } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'

const refresh = [paySetting.list]
const { waiting, live } = keyState.code
const shortName = ({ serial }: MerchantKey) => `密钥「${serial.slice(0, 12)}」`
type Props = { merchant: Merchant; of: MerchantKey; signs: boolean }

const notes: Record<MerchantKey['state'], string> = {
  1: '审批前不用于签名，也不用于验证通知',
  2: '系统正用该密钥向渠道查询，渠道的答复验证通过后自动生效；24小时内未通过则作废',
  3: '生效首日的支付通知须经渠道查单确认后入账',
}

/** One key with its state: requested, approved, live. */
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
          { key: 'approved', label: '通过', children: by(of.approvedBy, of.approvedAt) },
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
  const retire = useConfirmSheet(paySetting.retireKey, { refresh })
  const approve = useConfirmSheet(paySetting.approveKey, { refresh })
  const body = { id: merchant.id, keyId: of.id }
  const own = of.own ? '不能审批自己提交的密钥' : undefined
  const retires = of.state === live
  const verb = retires ? '停用' : '撤销'
  const affected = [
    ['商户', `${merchant.name}，商户号 ${merchant.merchantNo}`],
    ['机构', merchant.organiseName],
    ['密钥序列号', of.serial],
  ] as const
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
                  title: `通过${shortName(of)}？`,
                  okText: '通过',
                  facts: [...affected, ['公钥指纹', of.providerPrint]],
                  effect: '系统用该密钥向渠道查询，查询成功后用于该商户的收款和退款',
                  second: `由${of.createdBy}提交，您为审批人。请先在渠道后台核对公钥指纹`,
                  undo: '生效后只能停用，不能撤销',
                },
                { body },
              )
            }
          >
            通过
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
                title: `确定要${verb}${shortName(of)}吗？`,
                okText: verb,
                danger: true,
                facts: affected,
                effect: retires ? '不再用于签名，由它验证的支付通知也不再接受' : '该密钥不再进入审批',
                undo: `${verb}后须重新上传并审批`,
              },
              { body },
            )
          }
        >
          {verb}
        </Button>
      </Can>
      {declining && (
        <FormDialog
          title={`驳回${shortName(of)}`}
          route={paySetting.declineKey}
          okText="驳回"
          also={{ ...body }}
          refresh={refresh}
          onClose={() => setDeclining(false)}
        >
          <ConsequenceNote facts={affected} effect="该密钥作废，提交人会收到驳回原因" undo="驳回后须重新上传" />
          <LinesField name="reason" label="驳回原因" rows={2} maxLength={200} showCount />
        </FormDialog>
      )}
    </Space>
  )
}
