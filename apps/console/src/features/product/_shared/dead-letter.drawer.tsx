import { type DeadLetter, deadLetter, deadLetterList } from '@wattdeck/contract/product/dead-letter.ts'
import { deadLetterFlow } from '@wattdeck/contract/product/device-codes.ts'
import { Button, Drawer } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import type { Chosen } from '../../../kit/list/chosen.ts'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { contentText } from '../../../kit/display/message-labels.ts'
import './product.css'

const contentColumn: Column<DeadLetter> = {
  key: 'content',
  title: '内容',
  width: 260,
  render: (row) => contentText(row.content),
}
const refresh = [deadLetter.list]
const done = '该报文已处理'

/** Messages that could not be processed: redelivered after the cause is fixed, or given up. */
export function DeadLetterDrawer({ onClose }: { onClose: () => void }) {
  const state = useLocalListState(deadLetter.list)
  const list = useFieldList(deadLetterList, { listKey: 'dead-letter', columns: { failedAt: { fixed: false } } })
  const actions = useLetterActions()
  return (
    <Drawer open className="drawer-list" title="异常报文" size={1100} onClose={onClose}>
      <ListPanel
        {...list}
        state={state}
        columns={list.columns.toSpliced(4, 0, contentColumn)}
        nameOf={(row) => `${row.wire} ${row.failedAt}`}
        toolbar="未能处理的设备报文，保留至人工处理"
        rowActions={(row) => [
          {
            label: '重新投递',
            route: deadLetter.replay,
            disabled: deadLetterFlow.can('replay', row.status) ? undefined : done,
            onClick: () => actions.replay([row.id], '该条报文'),
          },
          {
            label: '放弃',
            route: deadLetter.giveUp,
            danger: true,
            disabled: deadLetterFlow.can('giveUp', row.status) ? undefined : done,
            onClick: () => actions.giveUp([row.id], '该条报文'),
          },
        ]}
        barred={(row) => !deadLetterFlow.can('replay', row.status)}
        renderBatch={(chosen) => <LetterBatch chosen={chosen} />}
      />
    </Drawer>
  )
}

function useLetterActions(onDone: () => void = () => undefined) {
  const replay = useConfirmedSubmit(deadLetter.replay, { refresh, onDone })
  const giveUp = useConfirmedSubmit(deadLetter.giveUp, { refresh, onDone })
  return {
    replay: (ids: string[], what: string) =>
      replay(
        { title: `确定要重新投递${what}吗？`, content: '报文将按接收时的顺序重新处理', okText: '重新投递' },
        { body: { ids } },
      ),
    giveUp: (ids: string[], what: string) =>
      giveUp(
        { title: `确定要放弃${what}吗？`, content: '放弃后不再处理', danger: true, okText: '放弃' },
        { body: { ids } },
      ),
  }
}

function LetterBatch({ chosen }: { chosen: Chosen<DeadLetter> }) {
  const actions = useLetterActions(chosen.clear)
  const what = `所选的 ${chosen.count} 条报文`
  return (
    <Can route={deadLetter.replay}>
      <Button className="batch-button" size="small" onClick={() => actions.replay(chosen.ids, what)}>
        重新投递
      </Button>
      <Button className="batch-button" size="small" onClick={() => actions.giveUp(chosen.ids, what)}>
        放弃
      </Button>
    </Can>
  )
}
