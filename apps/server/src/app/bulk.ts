import type { BatchKind } from '../kit/bulk/batch-kind.ts'
import { accountExport } from '../features/dashboard/account-detail/account-detail.export.ts'
import type { ListExport } from '../kit/bulk/exports.ts'
import { customerAnalysisExport } from '../features/accounting/customer-analysis/customer-analysis.export.ts'
import { breakExport } from '../features/accounting/reconciliation/reconciliation.export.ts'
import { adjustmentExport } from '../features/member/balance-adjustment/balance-adjustment.export.ts'
import { miniUserExport } from '../features/member/mini-user/mini-user.export.ts'
import { wechatUserExport } from '../features/member/wechat-user/wechat-user.export.ts'
import { completedOrderExport } from '../features/order/completed-order/completed-order.export.ts'
import { consumeOrderExport } from '../features/order/consume-order/consume-order.export.ts'
import { enterpriseRefundExport } from '../features/order/enterprise-refund/enterprise-refund.export.ts'
import { orderReviewExport } from '../features/order/order-review/order-review.export.ts'
import { orderStatisticsExport } from '../features/order/order-statistics/order-statistics.export.ts'
import { payOrderExport } from '../features/order/pay-order/pay-order.export.ts'
import { rechargeExport } from '../features/order/recharge-record/recharge-record.export.ts'
import { rechargeRefundExport } from '../features/order/recharge-refund/recharge-refund.export.ts'
import { refundOrderExport } from '../features/order/refund-order/refund-order.export.ts'
import { rechargeStatisticsExport } from '../features/order/recharge-statistics/recharge-statistics.export.ts'
import { unfinishedOrderExport } from '../features/order/unfinished-order/unfinished-order.export.ts'
import { alarmExport } from '../features/product/alarm-center/alarm-center.export.ts'
import { writeAttributes } from '../features/product/attribute-setting/attribute-setting.batch.ts'
import { bindDevices, bindSites } from '../features/product/consumption-standard/consumption-standard.batch.ts'
import { standardExport } from '../features/product/consumption-standard/consumption-standard.export.ts'
import { operateDevices } from '../features/product/device-command/device-command.batch.ts'
import { moveDevices, setServiceTimes } from '../features/product/device-manage/device-manage.batch.ts'
import { credentialExport } from '../features/product/device-auth/device-auth.export.ts'
import { deviceExport } from '../features/product/device-manage/device-manage.export.ts'
import { importDevices } from '../features/product/device-manage/device-manage.import.ts'
import { instructionSetExport } from '../features/product/instruction-set/instruction-set.export.ts'
import { importInstructions } from '../features/product/instruction-set/instruction-set.import.ts'
import { repairExport } from '../features/product/repair-ticket/repair-ticket.export.ts'
import { logExport } from '../features/system/log/log.export.ts'
import { operatorExport } from '../features/system/operator-info/operator-info.export.ts'
import { organiseExport } from '../features/system/organise/organise.export.ts'
import { editSites, toggleSites, transferSites } from '../features/system/site/site.batch.ts'
import { packCodes } from '../features/system/qr-code-manage/qr-code-manage.export.ts'
import { siteExport } from '../features/system/site/site.export.ts'
import { importSites } from '../features/system/site/site.import.ts'

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
