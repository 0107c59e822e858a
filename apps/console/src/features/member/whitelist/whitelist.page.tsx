import { whitelistFlow, whitelistFunder, whitelistRule } from '@wattdeck/contract/member/whitelist-codes.ts'
import { ruleText, whitelist, whitelistList, type WhitelistRow } from '@wattdeck/contract/member/whitelist.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { Button } from 'antd'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'

const AddEntryDialog = lazyPart(async () => (await import('./whitelist.add-dialog.tsx')).AddEntryDialog)
type Open =
  | { what: 'add' }
  | { what: 'turnDown'; row: WhitelistRow }
  | { what: 'extend'; ids: string[]; done?: () => void }
const refresh = [whitelist.list]

const factsOf = (row: WhitelistRow) =>
  [
    ['优惠规则', `${whitelistRule.show(row.rule).label}，${ruleText(row)}`],
    ['有效期', `${row.startsOn} 至 ${row.endsOn}`],
    ['承担方', whitelistFunder.show(row.funder).label],
    ['申请人', row.createdBy],
  ] as const

export default function WhitelistPage() {
  const list = useFieldList(whitelistList, { listKey: 'whitelist', liveKey: 'whitelist', personal: 'whitelist' })
  const [open, setOpen, close] = useOpen<Open>()
  const approve = useConfirmSheet(whitelist.approve, { refresh })
  const stop = useConfirmSheet(whitelist.stop, { refresh })
  const askStop = (ids: string[], facts: ReturnType<typeof factsOf> | [], done?: () => void) => {
    stop(
      {
        title: `停用 ${ids.length} 条白名单？`,
        okText: '停用',
        danger: true,
        facts,
        effect: '下一次充电起按原价收费，正在进行的充电不受影响',
        undo: '需要时重新加入',
      },
      { body: { ids } },
    )
    done?.()
  }

  function rowActions(row: WhitelistRow): RowAction[] {
    const settled = whitelistFlow.can('approve', row.status) ? undefined : '该申请已处理'
    const own = row.own ? '不能审核本人的申请' : undefined
    return [
      {
        label: '通过',
        route: whitelist.approve,
        disabled: settled ?? own,
        onClick: () =>
          approve(
            {
              title: `通过「${row.name}」的白名单？`,
              okText: '通过',
              facts: factsOf(row),
              effect: '下一次充电起生效',
              second: `由${row.createdBy}申请，您为审核人`,
            },
            { body: { id: row.id } },
          ),
      },
      {
        label: '驳回',
        route: whitelist.turnDown,
        disabled: settled ?? own,
        onClick: () => setOpen({ what: 'turnDown', row }),
      },
      {
        label: '延期',
        route: whitelist.extend,
        disabled: whitelistFlow.can('ask', row.status) ? undefined : '只有已生效的可以延期',
        onClick: () => setOpen({ what: 'extend', ids: [row.id] }),
      },
      {
        label: '停用',
        route: whitelist.stop,
        disabled: whitelistFlow.can('stop', row.status) ? undefined : '已停用或已驳回',
        onClick: () => askStop([row.id], factsOf(row)),
      },
    ]
  }
  return (
    <>
      <ListPage
        {...list}
        note="须由他人审核后生效；优惠由承担方补给站点，账单逐项说明"
        nameOf={(row) => row.name}
        actions={<MainButton route={whitelist.add} label="加入白名单" onClick={() => setOpen({ what: 'add' })} />}
        rowActions={rowActions}
        renderBatch={(chosen) => (
          <>
            <Can route={whitelist.extend}>
              <Button size="small" onClick={() => setOpen({ what: 'extend', ids: chosen.ids, done: chosen.clear })}>
                批量延期
              </Button>
            </Can>
            <Can route={whitelist.stop}>
              <Button size="small" danger onClick={() => askStop(chosen.ids, [], chosen.clear)}>
                批量停用
              </Button>
            </Can>
          </>
        )}
      />
      {open?.what === 'add' && <AddEntryDialog onClose={close} />}
      {open?.what === 'turnDown' && <TurnDownDialog row={open.row} onClose={close} />}
      {open?.what === 'extend' && <ExtendDialog ids={open.ids} onDone={() => open.done?.()} onClose={close} />}
    </>
  )
}

const TurnDownDialog = ({ row, onClose }: { row: WhitelistRow; onClose: () => void }) => (
  <FormDialog
    title={`驳回「${row.name}」的白名单`}
    route={whitelist.turnDown}
    okText="驳回"
    also={{ id: row.id }}
    refresh={refresh}
    onClose={onClose}
  >
    <ConsequenceNote facts={factsOf(row)} effect="申请人会收到驳回原因" undo="驳回后须重新申请" />
    <TextField name="reason" label="驳回原因" />
  </FormDialog>
)

type ExtendProps = { ids: string[]; onDone: () => void; onClose: () => void }
const ExtendDialog = ({ ids, onDone, onClose }: ExtendProps) => (
  <FormDialog
    title={`延期 ${ids.length} 条白名单`}
    route={whitelist.extend}
    okText="延期"
    toBody={(values) => ({ ...values, ids }) as BodyOf<typeof whitelist.extend>}
    refresh={refresh}
    onDone={onDone}
    onClose={onClose}
  >
    <ConsequenceNote facts={[]} effect="须由他人重新审核，审核前停止享受" undo="可以停用" />
    <Field name="endsOn" label="新的结束日期" choose help="含当天；不早于原结束日期">
      <DayPicker />
    </Field>
  </FormDialog>
)
