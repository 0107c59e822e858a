import { chargingMini, type MemberApp } from '@wattdeck/contract/member/charging-mini.ts'
import { openKey } from '@wattdeck/contract/member/open-key.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useOpen, useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { AppList } from './charging-mini.apps.tsx'
import { type KeyAction, KeyList } from './charging-mini.keys.tsx'
import type { IssuedKey } from './charging-mini.key-dialogs.tsx'

const AppDialog = lazyPart(async () => (await import('./charging-mini.app-dialog.tsx')).AppDialog)
const KeyDialog = lazyPart(async () => (await import('./charging-mini.key-dialogs.tsx')).KeyDialog)
const RotateDialog = lazyPart(async () => (await import('./charging-mini.key-dialogs.tsx')).RotateDialog)
const SecretDialog = lazyPart(async () => (await import('./charging-mini.key-dialogs.tsx')).SecretDialog)

type Open = { what: 'app'; row?: MemberApp } | KeyAction

export default function ChargingMiniPage() {
  const [params, setParams] = useSearch()
  const tab = params.get('tab') === 'keys' ? 'keys' : 'apps'
  const [open, setOpen, close] = useOpen<Open>()
  const [issued, setIssued] = useState<IssuedKey>()
  useReturnFocus(issued !== undefined)
  const addButton =
    tab === 'apps' ? (
      <MainButton route={chargingMini.add} label="新增小程序" onClick={() => setOpen({ what: 'app' })} />
    ) : (
      <MainButton route={openKey.add} label="新增密钥" onClick={() => setOpen({ what: 'key' })} />
    )
  return (
    <PageFrame
      title="充电小程序管理"
      note="会员通过这里登记的公众号和小程序注册、充值、充电；其服务器用接口密钥调用开放接口"
      actions={
        <>
          <Segmented
            aria-label="列表"
            value={tab}
            onChange={(key) => setParams(key === 'keys' ? { tab: 'keys' } : {})}
            options={[
              { value: 'apps', label: '小程序' },
              { value: 'keys', label: '接口密钥' },
            ]}
          />
          {addButton}
        </>
      }
    >
      {tab === 'apps' ? (
        <AppList emptyAction={addButton} onEdit={(row) => setOpen({ what: 'app', row })} />
      ) : (
        <KeyList emptyAction={addButton} onOpen={setOpen} />
      )}
      {open?.what === 'app' && <AppDialog row={open.row} onClose={close} />}
      {open?.what === 'key' && <KeyDialog row={open.row} onIssued={setIssued} onClose={close} />}
      {open?.what === 'rotate' && <RotateDialog row={open.row} onIssued={setIssued} onClose={close} />}
      {issued && <SecretDialog issued={issued} onClose={() => setIssued(undefined)} />}
    </PageFrame>
  )
}
