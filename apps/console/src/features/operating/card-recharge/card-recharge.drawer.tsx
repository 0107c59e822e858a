import type { CardRecharge } from '@wattdeck/contract/operating/card-recharge.ts'
import { offlineWay } from '@wattdeck/contract/operating/offline-recharge.ts'
import { Descriptions, Drawer } from 'antd'
import type { ReactNode } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { OwnerPath } from '../../../kit/objects/OwnerPath.tsx'
import { CardLink } from '../_shared/CardLink.tsx'

type Props = { row: CardRecharge; onClose: () => void }

/** One recharge of a card with its request at the desk and the voucher. */
export function CardRechargeDrawer({ row, onClose }: Props) {
  const narrow = useNarrow()
  const facts: [string, string, ReactNode][] = [
    [
      'serialNo',
      '流水号',
      <ObjectLink key="no" kind="recharge" id={row.id}>
        <CopyId value={row.serialNo} what="流水号" />
      </ObjectLink>,
    ],
    [
      'requestNo',
      '收款申请',
      row.requestNo === null ? cells.dash : <CopyId key="xc" value={row.requestNo} what="收款申请" />,
    ],
    ['cardNo', '卡号', <CardLink key="card" cardNo={row.cardNo} />],
    [
      'holder',
      '持卡人',
      <ObjectLink key="holder" kind="member" id={row.memberId}>
        {cells.text(row.holderName)}
      </ObjectLink>,
    ],
    ['amount', '充值金额', <>¥{cells.money(row.amount)}</>],
    ['gift', '赠送', <>¥{cells.money(row.gift)}</>],
    ['before', '充值前余额', <>¥{cells.money(row.before)}</>],
    ['after', '充值后余额', <>¥{cells.money(row.after)}</>],
    ['way', '收款方式', row.way === null ? cells.dash : cells.label(offlineWay, row.way)],
    ['bankRef', '银行流水号', cells.text(row.bankRef)],
    [
      'createdBy',
      '操作人',
      <ObjectLink key="maker" kind="staff" id={row.createdById}>
        {cells.text(row.createdBy)}
      </ObjectLink>,
    ],
    [
      'decidedBy',
      '审核人',
      <ObjectLink key="checker" kind="staff" id={row.decidedById}>
        {cells.text(row.decidedBy)}
      </ObjectLink>,
    ],
    ['createdAt', '充值时间', cells.time(row.createdAt)],
    ['owner', '归属', <OwnerPath key="owner" row={row} />],
    ['remark', '备注', cells.text(row.remark)],
    [
      'voucher',
      '凭证',
      row.pictureId === null ? cells.dash : <FilePicture key="voucher" id={row.pictureId} alt="收款凭证" size={96} />,
    ],
  ]
  return (
    <Drawer open title={`储值卡充值：${row.serialNo}`} size={narrow ? '100%' : dialogWidth.s} onClose={onClose}>
      <Descriptions
        bordered
        size="small"
        column={1}
        items={facts.map(([key, label, children]) => ({ key, label, children }))}
      />
    </Drawer>
  )
}
