import { type CardSwipe, refusalText, swipeResult } from '@wattdeck/contract/operating/card-swipe.ts'
import { Descriptions, Drawer } from 'antd'
import type { ReactNode } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { CardLink } from '../_shared/CardLink.tsx'

type Props = { row: CardSwipe; onClose: () => void }

/** One swipe: who held which card to which reader, and the answer. */
export function CardSwipeDrawer({ row, onClose }: Props) {
  const narrow = useNarrow()
  const facts: [string, string, ReactNode][] = [
    ['at', '刷卡时间', cells.time(row.at)],
    ['result', '结果', cells.status(swipeResult, row.result)],
    ['refusal', '失败原因', cells.text(refusalText(row))],
    ['cardNo', '卡号', row.cardId === null ? '未知卡：本机构没有这张卡' : <CardLink key="card" cardNo={row.cardNo} />],
    ['chipNo', '物理卡号', row.chipNo],
    [
      'holder',
      '持卡人',
      <ObjectLink key="holder" kind="member" id={row.memberId}>
        {cells.text(row.holderName)}
      </ObjectLink>,
    ],
    [
      'device',
      '设备编号',
      <ObjectLink key="device" kind="device" id={row.deviceId}>
        {cells.text(row.deviceNo)}
      </ObjectLink>,
    ],
    ['port', '端口', row.portNo === null ? cells.dash : `${row.portNo}号`],
    ['balance', '卡余额', <>¥{cells.money(row.balance)}</>],
    [
      'order',
      '订单号',
      <ObjectLink key="order" kind="order" id={row.orderNo}>
        {cells.text(row.orderNo)}
      </ObjectLink>,
    ],
    ['total', '扣费', row.total === null ? cells.dash : <>¥{cells.money(row.total)}</>],
    ['owner', '归属', <OwnerPath key="owner" row={row} />],
  ]
  return (
    <Drawer open title="刷卡详情" size={narrow ? '100%' : dialogWidth.s} onClose={onClose}>
      <Descriptions
        bordered
        size="small"
        column={1}
        items={facts.map(([key, label, children]) => ({ key, label, children }))}
      />
    </Drawer>
  )
}
