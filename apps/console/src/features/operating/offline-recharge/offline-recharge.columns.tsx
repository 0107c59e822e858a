import { type OfflineRecharge, offlineWay } from '@wattdeck/contract/operating/offline-recharge.ts'
import { Link } from 'react-router'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'

export const offlineColumns: ColumnChanges<OfflineRecharge> = {
  way: { render: (row) => cells.label(offlineWay, row.way) },
  shiftNo: {
    render: ({ shiftNo, shiftId }) =>
      shiftId === null ? cells.dash : <Link to={`/operating/deskShift?shiftId=${shiftId}`}>{shiftNo}</Link>,
  },
}

export const voucherColumn: Column<OfflineRecharge> = {
  key: 'picture',
  title: '凭证',
  width: 70,
  render: ({ pictureId }) =>
    pictureId === null ? cells.dash : <FilePicture id={pictureId} alt="收款凭证" size={32} />,
}

/** Facts of a recharge for a confirmation. */
export const offlineFacts = (row: OfflineRecharge) =>
  [
    ['充值对象', row.cardNo === null ? `${row.memberName ?? ''}（会员${row.memberId ?? ''}）` : `储值卡 ${row.cardNo}`],
    [
      '收款金额',
      `¥${row.amount}，${offlineWay.show(row.way).label}${row.bankRef === null ? '' : `（${row.bankRef}）`}`,
    ],
    ['赠送', `¥${row.gift}`],
    ['流水号', row.serialNo],
    ['操作人', row.createdBy],
  ] as const
