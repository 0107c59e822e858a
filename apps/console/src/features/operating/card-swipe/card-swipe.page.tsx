import { type CardSwipe, cardSwipeList } from '@wattdeck/contract/operating/card-swipe.ts'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { CardLink } from '../_shared/CardLink.tsx'

const SwipeDrawer = lazyPart(async () => (await import('./card-swipe.drawer.tsx')).CardSwipeDrawer)

const columns = {
  cardNo: {
    render: ({ cardId, cardNo }: CardSwipe) =>
      cardId === null ? <Tag tone="off">未知卡</Tag> : <CardLink cardNo={cardNo} />,
  },
}

export default function CardSwipePage() {
  const list = useFieldList(cardSwipeList, { listKey: 'card-swipe', columns })
  const [open, setOpen, close] = useOpen<CardSwipe>()
  return (
    <>
      <ListPage
        {...list}
        note="设备每次上报的刷卡和平台的答复；余额以平台为准，不采用卡内数据"
        presets={useDayPresets()}
        nameOf={(row) => `${row.at} ${row.cardNo ?? '未知卡'}`}
        rowActions={(row) => [{ label: '详情', onClick: () => setOpen(row) }]}
      />
      {open && <SwipeDrawer row={open} onClose={close} />}
    </>
  )
}
