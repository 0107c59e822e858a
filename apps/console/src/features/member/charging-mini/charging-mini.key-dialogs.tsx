import { keptSecret, openKey, type OpenKey, secretGrace } from '@wattdeck/contract/member/open-key.ts'
import { Alert, Button, Descriptions, Form, Modal } from 'antd'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useOwnOrganise } from './own-organise.ts'
import './charging-mini.css'

export type IssuedKey = { appKey: string; secret: string }

const refresh = [openKey.list]

type KeyProps = { row: OpenKey | undefined; onIssued: (key: IssuedKey) => void; onClose: () => void }

export function KeyDialog({ row, onIssued, onClose }: KeyProps) {
  const own = useOwnOrganise()
  if (row)
    return (
      <FormDialog
        title={`修改密钥：${row.name}`}
        route={openKey.edit}
        initial={{ name: row.name, networks: row.networks.join('\n') }}
        also={{ id: row.id }}
        refresh={refresh}
        onClose={onClose}
      >
        <KeyFields />
      </FormDialog>
    )
  return (
    <FormDialog
      title="新增接口密钥"
      route={openKey.add}
      {...(own && { also: own })}
      okText="生成密钥"
      refresh={refresh}
      onDone={onIssued}
      onClose={onClose}
    >
      <OrganiseField />
      <KeyFields />
    </FormDialog>
  )
}

const KeyFields = () => (
  <>
    <TextField name="name" label="密钥名称" help="使用它的服务器或合作方" placeholder="如 小程序服务器" />
    <LinesField
      name="networks"
      label="允许的网段"
      help="只接受来自这些地址的请求，每行一个；留空则不限制"
      placeholder={'203.0.113.7\n203.0.113.0/24'}
      rows={4}
      spellCheck={false}
    />
  </>
)

type RotateProps = { row: OpenKey; onIssued: (key: IssuedKey) => void; onClose: () => void }

export const RotateDialog = ({ row, onIssued, onClose }: RotateProps) => (
  <FormDialog
    title={`轮换密钥：${row.name}`}
    route={openKey.rotate}
    initial={{ grace: secretGrace.code.day }}
    also={{ id: row.id }}
    okText="轮换"
    danger
    refresh={refresh}
    onDone={onIssued}
    onClose={onClose}
  >
    <ConsequenceNote
      facts={[
        ['App Key', row.appKey],
        ['机构', row.organiseName],
        ...(row.oldUntil === null ? [] : [['旧密钥有效至', row.oldUntil] as const]),
      ]}
      effect="立即生成新密钥，只显示一次；请在原密钥失效前换到服务器上"
      undo="原密钥失效后不能恢复"
    />
    <SelectField name="grace" label="原密钥继续有效" options={[...secretGrace.options]} />
    {row.oldUntil !== null && <KeptField />}
  </FormDialog>
)

/** Two secrets are valid already, and only one of them can stay beside the new one. */
function KeptField() {
  const grace = Form.useWatch<number | undefined>('grace')
  if (grace === secretGrace.code.none) return null
  return (
    <SelectField
      name="keeps"
      label="保留哪一个"
      required
      placeholder="请选择服务器正在使用的密钥"
      help="上次轮换的旧密钥仍有效。新旧密钥只能同时保留两个，另一个立即失效"
      options={[...keptSecret.options]}
    />
  )
}

/** The only place where a secret is shown. */
export const SecretDialog = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <Modal
    open
    title="密钥已生成"
    width={dialogWidth.s}
    onCancel={onClose}
    mask={{ closable: false }}
    keyboard={false}
    footer={
      <Button type="primary" onClick={onClose}>
        我已保存
      </Button>
    }
  >
    <Alert
      className="secret-alert"
      type="warning"
      showIcon
      title="密钥只显示这一次，请立即复制到服务器并妥善保管"
      description="关闭后任何人都不能再次查看；遗失时请轮换。持有密钥的人可以代会员充值和启动充电。"
    />
    <Descriptions
      column={1}
      bordered
      size="small"
      items={[
        {
          key: 'appKey',
          label: 'App Key',
          children: (
            <span className="key-text">
              <CopyId value={issued.appKey} what="App Key" />
            </span>
          ),
        },
        {
          key: 'secret',
          label: '密钥',
          children: (
            <span className="key-text">
              <CopyId value={issued.secret} what="密钥" />
            </span>
          ),
        },
      ]}
    />
  </Modal>
)
