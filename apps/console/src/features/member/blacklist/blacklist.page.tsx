import { type Block, blacklist, blockList, blockScope, blockStatus } from '@wattdeck/contract/member/blacklist.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

const BlockDialog = lazyPart(async () => (await import('./blacklist.add-dialog.tsx')).BlockDialog)

const nameOf = ({ nickname, phone, cardNo }: Block) => nickname ?? phone ?? cardNo ?? '用户'

function liftProblem({ status, mayLift }: Block): string | undefined {
  if (status !== blockStatus.code.active) return '该限制已解除或已到期'
  return mayLift ? undefined : '由上级添加，不能解除'
}

export default function BlacklistPage() {
  const list = useFieldList(blockList, { listKey: 'blacklist', liveKey: 'blacklist', personal: 'memberBlock' })
  const [adding, add, closeAdd] = useOpen<true>()
  const [lifted, lift, closeLift] = useOpen<Block>()
  return (
    <>
      <ListPage
        {...list}
        note="限制按人生效：换微信、换小程序或改用卡，同样受限制"
        nameOf={nameOf}
        actions={<MainButton route={blacklist.add} label="加入黑名单" onClick={() => add(true)} />}
        rowActions={(row) => [
          { label: '解除', route: blacklist.lift, disabled: liftProblem(row), onClick: () => lift(row) },
        ]}
      />
      {adding && <BlockDialog refresh={[]} onClose={closeAdd} />}
      {lifted && <LiftDialog row={lifted} onClose={closeLift} />}
    </>
  )
}

const LiftDialog = ({ row, onClose }: { row: Block; onClose: () => void }) => (
  <FormDialog
    title={`解除限制：${nameOf(row)}`}
    route={blacklist.lift}
    okText="解除"
    also={{ id: row.id }}
    refresh={[blacklist.list]}
    onClose={onClose}
  >
    <ConsequenceNote
      facts={[
        ['限制范围', blockScope.show(row.scope).label],
        ['加入原因', row.reason],
        ['加入时间', row.createdAt],
      ]}
      effect="立即可以恢复使用"
      undo="需要再次限制时，须重新加入"
    />
    <LinesField name="reason" label="解除原因" rows={2} maxLength={200} showCount />
  </FormDialog>
)
