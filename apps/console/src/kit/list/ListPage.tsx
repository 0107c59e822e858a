import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { ReactNode } from 'react'
import { useListState } from './list-state.ts'
import { ListPanel, type ListPanelProps } from './ListPanel.tsx'
import { PageFrame } from '../display/PageFrame.tsx'

type Props<R extends AnyRoute> = Omit<ListPanelProps<R>, 'state'> & {
  title: string
  note?: ReactNode
  actions?: ReactNode
}

/** The standard page: title with actions, and one list whose filters and page are in the URL. */
export function ListPage<R extends AnyRoute>({ title, note, actions, ...list }: Props<R>) {
  const state = useListState(list.route)
  return (
    <PageFrame title={title} note={note} actions={actions}>
      <ListPanel {...(list as Omit<ListPanelProps<R>, 'state'>)} state={state} />
    </PageFrame>
  )
}
