import { features as routes } from '@wattdeck/contract/all-routes.ts'
import type { FastifyInstance } from 'fastify'
import type { Merchants } from '../core/payments/merchants.ts'
import { loginFeature } from '../features/auth/login/login.routes.ts'
import { sessionFeature } from '../features/auth/session/session.routes.ts'
import { notificationFeature } from '../features/auth/notification/notification.routes.ts'
import { personalDataFeature } from '../features/auth/personal-data/personal-data.routes.ts'
import { searchFeature } from '../features/auth/search/search.routes.ts'
import { fileFeature } from '../features/auth/file/file.routes.ts'
import { savedViewFeature } from '../features/auth/saved-view/saved-view.routes.ts'
import { menuManagerFeature } from '../features/system/menu-manager/menu-manager.routes.ts'
import { departmentFeature } from '../features/system/department/department.routes.ts'
import { staffFeature } from '../features/system/staff/staff.routes.ts'
import { resourceFeature } from '../features/system/resource/resource.routes.ts'
import { roleFeature } from '../features/system/role/role.routes.ts'
import { ownershipFeature } from '../features/system/ownership/ownership.routes.ts'
import { logFeature } from '../features/system/log/log.routes.ts'
import { organiseFeature } from '../features/system/organise/organise.routes.ts'
import { operatorInfoFeature } from '../features/system/operator-info/operator-info.routes.ts'
import { siteFeature } from '../features/system/site/site.routes.ts'
import { userMaintenanceFeature } from '../features/system/user-maintenance/user-maintenance.routes.ts'
import { operationAreaFeature } from '../features/system/operation-area/operation-area.routes.ts'
import { downloadFeature } from '../features/system/download/download.routes.ts'
import { regionFeature } from '../features/system/region/region.routes.ts'
import { helpDocumentFeature } from '../features/system/help-document/help-document.routes.ts'
import { baseServiceFeature } from '../features/system/base-service/base-service.routes.ts'
import { alipayAuthFeature } from '../features/auth/alipay-auth/alipay-auth.routes.ts'
import { dtuProtocolFeature } from '../features/product/dtu-protocol/dtu-protocol.routes.ts'
import { deviceCategoryFeature } from '../features/product/device-category/device-category.routes.ts'
import { deviceTypeFeature } from '../features/product/device-type/device-type.routes.ts'
import { instructionSetFeature } from '../features/product/instruction-set/instruction-set.routes.ts'
import { attributeTemplateFeature } from '../features/product/attribute-template/attribute-template.routes.ts'
import { platformAttributeFeature } from '../features/product/platform-attribute/platform-attribute.routes.ts'
import { basicInfoFeature } from '../features/personal/basic-info/basic-info.routes.ts'
import { changePasswordFeature } from '../features/personal/change-password/change-password.routes.ts'
import { bindPhoneFeature } from '../features/personal/bind-phone/bind-phone.routes.ts'
import { ownFactorFeature } from '../features/personal/own-factor/own-factor.routes.ts'
import { ownSessionFeature } from '../features/personal/own-session/own-session.routes.ts'
import { workTableFeature } from '../features/dashboard/work-table/work-table.routes.ts'
import { qrCodeManageFeature } from '../features/system/qr-code-manage/qr-code-manage.routes.ts'
import { deviceManageFeature } from '../features/product/device-manage/device-manage.routes.ts'
import { deviceDetailFeature } from '../features/product/device-detail/device-detail.routes.ts'
import { deviceCommandFeature } from '../features/product/device-command/device-command.routes.ts'
import { attributeSettingFeature } from '../features/product/attribute-setting/attribute-setting.routes.ts'
import { deviceAuthFeature } from '../features/product/device-auth/device-auth.routes.ts'
import { deviceScanFeature } from '../features/product/device-scan/device-scan.routes.ts'
import { deadLetterFeature } from '../features/product/dead-letter/dead-letter.routes.ts'
import { messageReplayFeature } from '../features/product/message-replay/message-replay.routes.ts'
import { alarmCenterFeature } from '../features/product/alarm-center/alarm-center.routes.ts'
import { repairTicketFeature } from '../features/product/repair-ticket/repair-ticket.routes.ts'
import { openChargingFeature } from '../features/open/open-charging/open-charging.routes.ts'
import { openRechargeFeature } from '../features/open/open-recharge/open-recharge.routes.ts'
import { openRechargeRefundFeature } from '../features/open/open-recharge-refund/open-recharge-refund.routes.ts'
import { payOrderFeature } from '../features/order/pay-order/pay-order.routes.ts'
import { rechargeRecordFeature } from '../features/order/recharge-record/recharge-record.routes.ts'
import { refundOrderFeature } from '../features/order/refund-order/refund-order.routes.ts'
import { rechargeRefundFeature } from '../features/order/recharge-refund/recharge-refund.routes.ts'
import { enterpriseRefundFeature } from '../features/order/enterprise-refund/enterprise-refund.routes.ts'
import { payAuthFeature } from '../features/accounting/pay-auth/pay-auth.routes.ts'
import { reconciliationFeature } from '../features/accounting/reconciliation/reconciliation.routes.ts'
import { memberInfoFeature } from '../features/member/member-info/member-info.routes.ts'
import { wechatUserFeature } from '../features/member/wechat-user/wechat-user.routes.ts'
import { miniUserFeature } from '../features/member/mini-user/mini-user.routes.ts'
import { balanceAdjustmentFeature } from '../features/member/balance-adjustment/balance-adjustment.routes.ts'
import { accountDetailFeature } from '../features/dashboard/account-detail/account-detail.routes.ts'
import { screenLinkFeature } from '../features/dashboard/screen-link/screen-link.routes.ts'
import { consumptionStandardFeature } from '../features/product/consumption-standard/consumption-standard.routes.ts'
import { tariffPushFeature } from '../features/product/tariff-push/tariff-push.routes.ts'
import { tariffLabFeature } from '../features/product/tariff-lab/tariff-lab.routes.ts'
import { consumeOrderFeature } from '../features/order/consume-order/consume-order.routes.ts'
import { completedOrderFeature } from '../features/order/completed-order/completed-order.routes.ts'
import { unfinishedOrderFeature } from '../features/order/unfinished-order/unfinished-order.routes.ts'
import { orderReviewFeature } from '../features/order/order-review/order-review.routes.ts'
import { chargingOrderFeature } from '../features/order/charging-order/charging-order.routes.ts'
import { orderStatisticsFeature } from '../features/order/order-statistics/order-statistics.routes.ts'
import { rechargeStatisticsFeature } from '../features/order/recharge-statistics/recharge-statistics.routes.ts'
import { bigScreenFeature } from '../features/dashboard/big-screen/big-screen.routes.ts'
import { analysisFeature } from '../features/dashboard/analysis/analysis.routes.ts'
import { customerAnalysisFeature } from '../features/accounting/customer-analysis/customer-analysis.routes.ts'
import { batchHandlers } from '../features/system/batch/batch.routes.ts'
import { payNoticeHandlers } from '../features/open/pay-notice/pay-notice.routes.ts'
import { paySettingHandlers } from '../features/accounting/pay-setting/pay-setting.routes.ts'
import { openScreen } from '../features/dashboard/big-screen/big-screen.stream.ts'
import type { BatchKind } from '../kit/bulk/batch-kind.ts'
import type { ListExport } from '../kit/bulk/exports.ts'
import type { LiveHub } from '../kit/events/live.ts'
import type { Feature } from '../kit/http/feature.ts'
import { type Deps, implement, implementStream } from '../kit/http/http.ts'
import { payHooks } from './payments.ts'

/** Every feature, in the order of the contract. */
const features: readonly Feature[] = [
  loginFeature,
  sessionFeature,
  notificationFeature,
  personalDataFeature,
  searchFeature,
  fileFeature,
  savedViewFeature,
  menuManagerFeature,
  departmentFeature,
  staffFeature,
  resourceFeature,
  roleFeature,
  ownershipFeature,
  logFeature,
  organiseFeature,
  operatorInfoFeature,
  siteFeature,
  userMaintenanceFeature,
  operationAreaFeature,
  downloadFeature,
  regionFeature,
  helpDocumentFeature,
  baseServiceFeature,
  alipayAuthFeature,
  dtuProtocolFeature,
  deviceCategoryFeature,
  deviceTypeFeature,
  instructionSetFeature,
  attributeTemplateFeature,
  platformAttributeFeature,
  basicInfoFeature,
  changePasswordFeature,
  bindPhoneFeature,
  ownFactorFeature,
  ownSessionFeature,
  workTableFeature,
  qrCodeManageFeature,
  deviceManageFeature,
  deviceDetailFeature,
  deviceCommandFeature,
  attributeSettingFeature,
  deviceAuthFeature,
  deviceScanFeature,
  deadLetterFeature,
  messageReplayFeature,
  alarmCenterFeature,
  repairTicketFeature,
  openChargingFeature,
  openRechargeFeature,
  openRechargeRefundFeature,
  payOrderFeature,
  rechargeRecordFeature,
  refundOrderFeature,
  rechargeRefundFeature,
  enterpriseRefundFeature,
  payAuthFeature,
  reconciliationFeature,
  memberInfoFeature,
  wechatUserFeature,
  miniUserFeature,
  balanceAdjustmentFeature,
  accountDetailFeature,
  screenLinkFeature,
  consumptionStandardFeature,
  tariffPushFeature,
  tariffLabFeature,
  consumeOrderFeature,
  completedOrderFeature,
  unfinishedOrderFeature,
  orderReviewFeature,
  chargingOrderFeature,
  orderStatisticsFeature,
  rechargeStatisticsFeature,
  bigScreenFeature,
  analysisFeature,
  customerAnalysisFeature,
]

/** What is done to many rows, and the lists that can be written to a file: api and worker read these. */
export const batchKinds: ReadonlyMap<string, BatchKind> = new Map(
  features.flatMap((feature) => feature.batchKinds).map((kind) => [kind.kind, kind]),
)
export const listExports: ReadonlyMap<string, ListExport> = new Map(
  features.flatMap((feature) => feature.exports).map((list) => [list.list, list]),
)

/** Features that need more than the common dependencies are implemented by hand, and so are streams. */
export function implementFeatures(app: FastifyInstance, deps: Deps, live: LiveHub, merchants: Merchants): void {
  for (const feature of features) feature.implement(app, deps)
  implement(app, deps, routes.batch, batchHandlers(batchKinds))
  implement(app, deps, routes.payNotice, payNoticeHandlers(deps.signer, merchants, payHooks))
  implement(app, deps, routes.paySetting, paySettingHandlers(deps.signer, merchants))
  implementStream(app, deps, routes.notification.live, (actor, { query }, request, reply) =>
    live.open(actor, query.devices ?? [], request, reply),
  )
  implementStream(app, deps, routes.bigScreen.heartbeat, (actor, { params }, request, reply) =>
    openScreen(deps, actor, params.id, request, reply),
  )
}
