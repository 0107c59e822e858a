import { storedCard, type StoredCard, storedCardList } from '@wattdeck/contract/operating/stored-card.ts'
import { ImportButton } from '../../../kit/bulk/ImportButton.tsx'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { type CardOpen, cardRoutes, useCardActions } from './stored-card.actions.ts'
import { CardStates } from './stored-card.chart.tsx'
import { cardColumns } from './stored-card.columns.tsx'

const IssueDialog = lazyPart(async () => (await import('./stored-card.issue-dialog.tsx')).IssueCardDialog)
const CardDialog = lazyPart(async () => (await import('./stored-card.dialogs.tsx')).CardDialog)
const RechargeDialog = lazyPart(
  async () => (await import('../_shared/offline-recharge.add-dialog.tsx')).AddOfflineDialog,
)
const CardDrawer = lazyPart(async () => (await import('./stored-card.drawer.tsx')).CardDrawer)
const ImportWizard = lazyPart(async () => (await import('../../../kit/bulk/ImportWizard.tsx')).ImportWizard)

type Open = { what: 'issue' } | { what: 'import' } | CardOpen

const payeeOf = ({ id, holderName: name, holderPhone: phone, cardNo, siteName }: StoredCard) => ({
  id,
  name,
  phone,
  cardNo,
  siteName,
})

const presets = [
  { name: '补卡待审核', text: 'waits=true' },
  { name: '已挂失', text: 'state=1' },
]

export default function StoredCardPage() {
  const state = useListState(storedCard.list)
  const { title, ...list } = useFieldList(storedCardList, {
    listKey: 'stored-card',
    liveKey: 'storedCard',
    columns: cardColumns,
  })
  const [open, setOpen, close] = useOpen<Open>()
  const rowActions = useCardActions(setOpen)
  return (
    <PageFrame
      title={title}
      note="发卡不带余额，充值在「线下充值」中办理；补卡时卡内有余额须由他人审核"
      actions={
        <>
          <ImportButton route={storedCard.importSheet} onClick={() => setOpen({ what: 'import' })} />
          <MainButton route={storedCard.issue} label="发卡" onClick={() => setOpen({ what: 'issue' })} />
        </>
      }
    >
      <ListPanel {...list} state={state} presets={presets} nameOf={(row) => row.cardNo} rowActions={rowActions} />
      <CardStates query={state.query} />
      {open?.what === 'issue' && <IssueDialog onClose={close} />}
      {open?.what === 'import' && (
        <ImportWizard
          title="导入储值卡"
          upload={storedCard.importSheet}
          template={storedCard.importTemplate}
          refresh={cardRoutes}
          onClose={close}
        />
      )}
      {open?.what === 'drawer' && (
        <CardDrawer key={open.id} id={open.id} onOpen={(id) => setOpen({ what: 'drawer', id })} onClose={close} />
      )}
      {open?.what === 'recharge' && <RechargeDialog card={payeeOf(open.row)} onClose={close} />}
      {open !== undefined && 'row' in open && open.what !== 'recharge' && (
        <CardDialog question={open} row={open.row} onClose={close} />
      )}
    </PageFrame>
  )
}
