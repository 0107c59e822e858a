import { KeyOutlined } from '@ant-design/icons'
import {
  type Credential,
  credentialFlow,
  credentialKind,
  credentialList,
  deviceAuth,
} from '@wattdeck/contract/product/device-auth.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { ImportButton } from '../../../kit/bulk/ImportButton.tsx'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { CredentialBatch } from './device-auth.batch.tsx'
import { credentialColumns } from './device-auth.columns.tsx'
import type { Issued } from './device-auth.issue-dialogs.tsx'
import type { Secret } from './device-auth.secret-dialogs.tsx'
import { isPlatform } from '../_shared/platform.ts'

const ImportWizard = lazyPart(async () => (await import('../../../kit/bulk/ImportWizard.tsx')).ImportWizard)
const IssueDialog = lazyPart(async () => (await import('./device-auth.issue-dialogs.tsx')).IssueDialog)
const IssuedDialog = lazyPart(async () => (await import('./device-auth.issue-dialogs.tsx')).IssuedDialog)
const CsrDialog = lazyPart(async () => (await import('./device-auth.issue-dialogs.tsx')).CsrDialog)
const PasswordDialog = lazyPart(async () => (await import('./device-auth.secret-dialogs.tsx')).PasswordDialog)
const TypeKeyDialog = lazyPart(async () => (await import('./device-auth.secret-dialogs.tsx')).TypeKeyDialog)
const EnrolDialog = lazyPart(async () => (await import('./device-auth.secret-dialogs.tsx')).EnrolDialog)
const SecretDialog = lazyPart(async () => (await import('./device-auth.secret-dialogs.tsx')).SecretDialog)
const RevokeDialog = lazyPart(async () => (await import('./device-auth.secret-dialogs.tsx')).RevokeDialog)

type Open =
  | { what: 'issue'; deviceNos: string }
  | { what: 'csr' | 'typeKey' | 'enrol' | 'import' }
  | { what: 'password'; deviceNo: string }
  | { what: 'issued'; made: Issued }
  | { what: 'secret'; secret: Secret }
  | { what: 'revoke'; rows: Credential[]; onDone?: () => void }

const noAuthority = '未配置设备证书颁发机构，不能签发证书'

export default function DeviceAuthPage() {
  const user = useUser()
  const [open, setOpen] = useState<Open>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const showSecret = (secret: Secret) => setOpen({ what: 'secret', secret })
  const abilities = useDetail(deviceAuth.abilities).data
  const { data: types = [] } = useDetail(deviceAuth.types)
  const list = useFieldList(credentialList, {
    listKey: 'deviceAuth',
    liveKey: 'deviceAuth',
    columns: credentialColumns,
  })
  const typeOptions = types.map(({ id, name }) => ({ value: id, label: name }))
  const filters: typeof list.filters = [
    ...list.filters.slice(0, 1),
    { kind: 'select', name: 'deviceTypeId', label: '型号', options: typeOptions },
    ...list.filters.slice(1, -1),
    { kind: 'text', name: 'batchNo', label: '批次' },
    ...list.filters.slice(-1),
  ]
  const cannotSign = abilities?.authority === null ? noAuthority : undefined

  const rowActions = (row: Credential): RowAction[] => [
    row.kind === credentialKind.code.cert
      ? {
          label: '轮换',
          route: deviceAuth.issueKeys,
          disabled: cannotSign,
          onClick: () => setOpen({ what: 'issue', deviceNos: row.deviceNo }),
        }
      : {
          label: '重置',
          route: deviceAuth.setPassword,
          disabled: row.checksPassword ? undefined : '该设备的协议不校验口令',
          onClick: () => setOpen({ what: 'password', deviceNo: row.deviceNo }),
        },
    {
      label: '吊销',
      route: deviceAuth.revoke,
      danger: true,
      disabled: credentialFlow.can('revoke', row.state) ? undefined : '该凭证已吊销',
      onClick: () => setOpen({ what: 'revoke', rows: [row] }),
    },
  ]
  return (
    <>
      <ListPage
        {...list}
        note={
          abilities &&
          (abilities.authority === null
            ? `${noAuthority}；口令认证不受影响`
            : `证书颁发机构：${abilities.authority}，有效期至 ${abilities.authorityUntil ?? ''}`)
        }
        nameOf={(row) => `${row.deviceNo} ${row.keyText}`}
        filters={filters}
        actions={
          <>
            <ImportButton route={deviceAuth.importSheet} onClick={() => setOpen({ what: 'import' })} />
            <Can route={deviceAuth.issueKeys}>
              <Button onClick={() => setOpen({ what: 'enrol' })}>允许登记</Button>
              {isPlatform(user) && <Button onClick={() => setOpen({ what: 'typeKey' })}>型号密钥</Button>}
              <Button onClick={() => setOpen({ what: 'password', deviceNo: '' })}>生成接入口令</Button>
              <ReasonButton reason={cannotSign} onClick={() => setOpen({ what: 'csr' })}>
                按 CSR 签发证书
              </ReasonButton>
              <ReasonButton
                type="primary"
                icon={<KeyOutlined />}
                data-shortcut="n"
                reason={cannotSign}
                onClick={() => setOpen({ what: 'issue', deviceNos: '' })}
              >
                生成密钥
              </ReasonButton>
            </Can>
          </>
        }
        rowActions={rowActions}
        barred={(row) => !credentialFlow.can('revoke', row.state)}
        renderBatch={(chosen) => (
          <CredentialBatch
            chosen={chosen}
            cannotSign={cannotSign}
            onRotate={(deviceNos) => setOpen({ what: 'issue', deviceNos })}
            onRevoke={() => setOpen({ what: 'revoke', rows: chosen.rows, onDone: chosen.clear })}
          />
        )}
      />
      {open?.what === 'issue' && (
        <IssueDialog
          deviceNos={open.deviceNos}
          onClose={close}
          onDone={(batch) => setOpen({ what: 'issued', made: batch })}
        />
      )}
      {open?.what === 'issued' && <IssuedDialog made={open.made} onClose={close} />}
      {open?.what === 'import' && (
        <ImportWizard
          title="导入设备密钥"
          upload={deviceAuth.importSheet}
          template={deviceAuth.importTemplate}
          refresh={[deviceAuth.list]}
          onClose={close}
        />
      )}
      {open?.what === 'csr' && <CsrDialog onClose={close} />}
      {open?.what === 'password' && <PasswordDialog deviceNo={open.deviceNo} onClose={close} onDone={showSecret} />}
      {open?.what === 'enrol' && <EnrolDialog onClose={close} />}
      {open?.what === 'typeKey' && <TypeKeyDialog types={types} onClose={close} onDone={showSecret} />}
      {open?.what === 'secret' && <SecretDialog secret={open.secret} onClose={close} />}
      {open?.what === 'revoke' && <RevokeDialog rows={open.rows} onClose={close} onDone={() => open.onDone?.()} />}
    </>
  )
}
