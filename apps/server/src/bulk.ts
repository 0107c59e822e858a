import type { BatchKind } from './kit/batch.ts'
import { accountExport } from './dashboard/account-detail/account-detail.export.ts'
import type { ListExport } from './kit/exports.ts'
import { customerAnalysisExport } from './accounting/customer-analysis/customer-analysis.export.ts'
import { breakExport } from './accounting/reconciliation/reconciliation.export.ts'
import { adjustmentExport } from './member/balance-adjustment/balance-adjustment.export.ts'
import { miniUserExport } from './member/mini-user/mini-user.export.ts'
import { wechatUserExport } from './member/wechat-user/wechat-user.export.ts'
import { completedOrderExport } from './order/completed-order/completed-order.export.ts'
import { consumeOrderExport } from './order/consume-order/consume-order.export.ts'
import { enterpriseRefundExport } from './order/enterprise-refund/enterprise-refund.export.ts'
import { orderReviewExport } from './order/order-review/order-review.export.ts'
import { orderStatisticsExport } from './order/order-statistics/order-statistics.export.ts'
import { payOrderExport } from './order/pay-order/pay-order.export.ts'
import { rechargeExport } from './order/recharge-record/recharge-record.export.ts'
import { rechargeRefundExport } from './order/recharge-refund/recharge-refund.export.ts'
import { refundOrderExport } from './order/refund-order/refund-order.export.ts'
import { rechargeStatisticsExport } from './order/recharge-statistics/recharge-statistics.export.ts'
import { unfinishedOrderExport } from './order/unfinished-order/unfinished-order.export.ts'
import { alarmExport } from './product/alarm-center/alarm-center.export.ts'
import { writeAttributes } from './product/attribute-setting/attribute-setting.batch.ts'
import { bindDevices, bindSites } from './product/consumption-standard/consumption-standard.batch.ts'
import { standardExport } from './product/consumption-standard/consumption-standard.export.ts'
import { operateDevices } from './product/device-command/device-command.batch.ts'
import { moveDevices, setServiceTimes } from './product/device-manage/device-manage.batch.ts'
import { credentialExport } from './product/device-auth/device-auth.export.ts'
import { deviceExport } from './product/device-manage/device-manage.export.ts'
import { importDevices } from './product/device-manage/device-manage.import.ts'
import { instructionSetExport } from './product/instruction-set/instruction-set.export.ts'
import { importInstructions } from './product/instruction-set/instruction-set.import.ts'
import { repairExport } from './product/repair-ticket/repair-ticket.export.ts'
import { logExport } from './system/log/log.export.ts'
import { operatorExport } from './system/operator-info/operator-info.export.ts'
import { organiseExport } from './system/organise/organise.export.ts'
import { editSites, toggleSites, transferSites } from './system/site/site.batch.ts'
import { packCodes } from './system/qr-code-manage/qr-code-manage.export.ts'
import { siteExport } from './system/site/site.export.ts'
import { importSites } from './system/site/site.import.ts'

/** Everything that is done to many rows, and every list that can be written to a file: api and worker read these. */
const siteKinds: BatchKind[] = [toggleSites, transferSites, editSites, importSites]
const productKinds: BatchKind[] = [
  moveDevices,
  setServiceTimes,
  importDevices,
  importInstructions,
  operateDevices,
  writeAttributes,
  bindDevices,
  bindSites,
]
const systemLists: ListExport[] = [logExport, organiseExport, operatorExport, siteExport, packCodes]
const productLists: ListExport[] = [
  deviceExport,
  credentialExport,
  instructionSetExport,
  alarmExport,
  repairExport,
  standardExport,
]
const memberLists: ListExport[] = [wechatUserExport, miniUserExport, adjustmentExport, accountExport]
const orderLists: ListExport[] = [consumeOrderExport, completedOrderExport, unfinishedOrderExport, orderReviewExport]
const moneyLists: ListExport[] = [
  payOrderExport,
  rechargeExport,
  refundOrderExport,
  rechargeRefundExport,
  enterpriseRefundExport,
  breakExport,
]
const statLists: ListExport[] = [orderStatisticsExport, rechargeStatisticsExport, customerAnalysisExport]
const lists: ListExport[] = [
  ...systemLists,
  ...productLists,
  ...memberLists,
  ...orderLists,
  ...moneyLists,
  ...statLists,
]

export const batchKinds: ReadonlyMap<string, BatchKind> = new Map(
  [...siteKinds, ...productKinds].map((kind) => [kind.kind, kind]),
)
export const listExports: ReadonlyMap<string, ListExport> = new Map(lists.map((list) => [list.list, list]))
