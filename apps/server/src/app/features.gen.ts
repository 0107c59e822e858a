// Written by `npm run registry`.
import type { Feature } from '../kit/http/feature.ts'
import { customerAnalysisFeature } from '../features/accounting/customer-analysis/customer-analysis.routes.ts'
import { payAuthFeature } from '../features/accounting/pay-auth/pay-auth.routes.ts'
import { reconciliationFeature } from '../features/accounting/reconciliation/reconciliation.routes.ts'
import { alipayAuthFeature } from '../features/auth/alipay-auth/alipay-auth.routes.ts'
import { fileFeature } from '../features/auth/file/file.routes.ts'
import { loginFeature } from '../features/auth/login/login.routes.ts'
import { notificationFeature } from '../features/auth/notification/notification.routes.ts'
import { personalDataFeature } from '../features/auth/personal-data/personal-data.routes.ts'
import { savedViewFeature } from '../features/auth/saved-view/saved-view.routes.ts'
import { searchFeature } from '../features/auth/search/search.routes.ts'
import { sessionFeature } from '../features/auth/session/session.routes.ts'
import { accountDetailFeature } from '../features/dashboard/account-detail/account-detail.routes.ts'
import { analysisFeature } from '../features/dashboard/analysis/analysis.routes.ts'
import { bigScreenFeature } from '../features/dashboard/big-screen/big-screen.routes.ts'
import { incomeExpenseFeature } from '../features/dashboard/income-expense/income-expense.routes.ts'
import { liveOperationsFeature } from '../features/dashboard/live-operations/live-operations.routes.ts'
import { menuBadgesFeature } from '../features/dashboard/menu-badges/menu-badges.routes.ts'
import { screenLinkFeature } from '../features/dashboard/screen-link/screen-link.routes.ts'
import { workTableFeature } from '../features/dashboard/work-table/work-table.routes.ts'
import { balanceAdjustmentFeature } from '../features/member/balance-adjustment/balance-adjustment.routes.ts'
import { blacklistFeature } from '../features/member/blacklist/blacklist.routes.ts'
import { chargingMiniFeature } from '../features/member/charging-mini/charging-mini.routes.ts'
import { memberInfoFeature } from '../features/member/member-info/member-info.routes.ts'
import { miniUserFeature } from '../features/member/mini-user/mini-user.routes.ts'
import { openKeyFeature } from '../features/member/open-key/open-key.routes.ts'
import { wechatUserFeature } from '../features/member/wechat-user/wechat-user.routes.ts'
import { whitelistFeature } from '../features/member/whitelist/whitelist.routes.ts'
import { openChargingFeature } from '../features/open/open-charging/open-charging.routes.ts'
import { openCouponFeature } from '../features/open/open-coupon/open-coupon.routes.ts'
import { openPassFeature } from '../features/open/open-pass/open-pass.routes.ts'
import { openRechargeRefundFeature } from '../features/open/open-recharge-refund/open-recharge-refund.routes.ts'
import { openRechargeFeature } from '../features/open/open-recharge/open-recharge.routes.ts'
import { cardRechargeFeature } from '../features/operating/card-recharge/card-recharge.routes.ts'
import { cardSwipeFeature } from '../features/operating/card-swipe/card-swipe.routes.ts'
import { couponGrantFeature } from '../features/operating/coupon-grant/coupon-grant.routes.ts'
import { couponFeature } from '../features/operating/coupon/coupon.routes.ts'
import { deskShiftFeature } from '../features/operating/desk-shift/desk-shift.routes.ts'
import { offlineRechargeFeature } from '../features/operating/offline-recharge/offline-recharge.routes.ts'
import { rechargeThresholdFeature } from '../features/operating/recharge-threshold/recharge-threshold.routes.ts'
import { storedCardFeature } from '../features/operating/stored-card/stored-card.routes.ts'
import { chargingOrderFeature } from '../features/order/charging-order/charging-order.routes.ts'
import { completedOrderFeature } from '../features/order/completed-order/completed-order.routes.ts'
import { consumeOrderFeature } from '../features/order/consume-order/consume-order.routes.ts'
import { enterpriseRefundFeature } from '../features/order/enterprise-refund/enterprise-refund.routes.ts'
import { memberCardBuyFeature } from '../features/order/member-card-buy/member-card-buy.routes.ts'
import { orderReviewFeature } from '../features/order/order-review/order-review.routes.ts'
import { orderStatisticsFeature } from '../features/order/order-statistics/order-statistics.routes.ts'
import { payOrderFeature } from '../features/order/pay-order/pay-order.routes.ts'
import { rechargeRecordFeature } from '../features/order/recharge-record/recharge-record.routes.ts'
import { rechargeRefundFeature } from '../features/order/recharge-refund/recharge-refund.routes.ts'
import { rechargeStatisticsFeature } from '../features/order/recharge-statistics/recharge-statistics.routes.ts'
import { refundOrderFeature } from '../features/order/refund-order/refund-order.routes.ts'
import { unfinishedOrderFeature } from '../features/order/unfinished-order/unfinished-order.routes.ts'
import { basicInfoFeature } from '../features/personal/basic-info/basic-info.routes.ts'
import { bindPhoneFeature } from '../features/personal/bind-phone/bind-phone.routes.ts'
import { changePasswordFeature } from '../features/personal/change-password/change-password.routes.ts'
import { ownFactorFeature } from '../features/personal/own-factor/own-factor.routes.ts'
import { ownSessionFeature } from '../features/personal/own-session/own-session.routes.ts'
import { alarmCenterFeature } from '../features/product/alarm-center/alarm-center.routes.ts'
import { attributeSettingFeature } from '../features/product/attribute-setting/attribute-setting.routes.ts'
import { attributeTemplateFeature } from '../features/product/attribute-template/attribute-template.routes.ts'
import { consumptionStandardFeature } from '../features/product/consumption-standard/consumption-standard.routes.ts'
import { deadLetterFeature } from '../features/product/dead-letter/dead-letter.routes.ts'
import { deviceAuthFeature } from '../features/product/device-auth/device-auth.routes.ts'
import { deviceCategoryFeature } from '../features/product/device-category/device-category.routes.ts'
import { deviceCommandFeature } from '../features/product/device-command/device-command.routes.ts'
import { deviceDetailFeature } from '../features/product/device-detail/device-detail.routes.ts'
import { deviceManageFeature } from '../features/product/device-manage/device-manage.routes.ts'
import { deviceScanFeature } from '../features/product/device-scan/device-scan.routes.ts'
import { deviceTypeFeature } from '../features/product/device-type/device-type.routes.ts'
import { dtuProtocolFeature } from '../features/product/dtu-protocol/dtu-protocol.routes.ts'
import { instructionSetFeature } from '../features/product/instruction-set/instruction-set.routes.ts'
import { messageReplayFeature } from '../features/product/message-replay/message-replay.routes.ts'
import { platformAttributeFeature } from '../features/product/platform-attribute/platform-attribute.routes.ts'
import { repairTicketFeature } from '../features/product/repair-ticket/repair-ticket.routes.ts'
import { supplierFeature } from '../features/product/supplier/supplier.routes.ts'
import { tariffLabFeature } from '../features/product/tariff-lab/tariff-lab.routes.ts'
import { tariffPushFeature } from '../features/product/tariff-push/tariff-push.routes.ts'
import { baseServiceFeature } from '../features/system/base-service/base-service.routes.ts'
import { departmentFeature } from '../features/system/department/department.routes.ts'
import { downloadFeature } from '../features/system/download/download.routes.ts'
import { helpDocumentFeature } from '../features/system/help-document/help-document.routes.ts'
import { logFeature } from '../features/system/log/log.routes.ts'
import { menuManagerFeature } from '../features/system/menu-manager/menu-manager.routes.ts'
import { monthlyPlanFeature } from '../features/system/monthly-plan/monthly-plan.routes.ts'
import { operationAreaFeature } from '../features/system/operation-area/operation-area.routes.ts'
import { operatorInfoFeature } from '../features/system/operator-info/operator-info.routes.ts'
import { organiseFeature } from '../features/system/organise/organise.routes.ts'
import { ownershipFeature } from '../features/system/ownership/ownership.routes.ts'
import { qrCodeManageFeature } from '../features/system/qr-code-manage/qr-code-manage.routes.ts'
import { regionFeature } from '../features/system/region/region.routes.ts'
import { resourceFeature } from '../features/system/resource/resource.routes.ts'
import { roleTemplateFeature } from '../features/system/role-template/role-template.routes.ts'
import { roleFeature } from '../features/system/role/role.routes.ts'
import { siteDetailFeature } from '../features/system/site-detail/site-detail.routes.ts'
import { siteFeature } from '../features/system/site/site.routes.ts'
import { staffFeature } from '../features/system/staff/staff.routes.ts'
import { userMaintenanceFeature } from '../features/system/user-maintenance/user-maintenance.routes.ts'

export const features: readonly Feature[] = [
  customerAnalysisFeature,
  payAuthFeature,
  reconciliationFeature,
  alipayAuthFeature,
  fileFeature,
  loginFeature,
  notificationFeature,
  personalDataFeature,
  savedViewFeature,
  searchFeature,
  sessionFeature,
  accountDetailFeature,
  analysisFeature,
  bigScreenFeature,
  incomeExpenseFeature,
  liveOperationsFeature,
  menuBadgesFeature,
  screenLinkFeature,
  workTableFeature,
  balanceAdjustmentFeature,
  blacklistFeature,
  chargingMiniFeature,
  memberInfoFeature,
  miniUserFeature,
  openKeyFeature,
  wechatUserFeature,
  whitelistFeature,
  openChargingFeature,
  openCouponFeature,
  openPassFeature,
  openRechargeRefundFeature,
  openRechargeFeature,
  cardRechargeFeature,
  cardSwipeFeature,
  couponGrantFeature,
  couponFeature,
  deskShiftFeature,
  offlineRechargeFeature,
  rechargeThresholdFeature,
  storedCardFeature,
  chargingOrderFeature,
  completedOrderFeature,
  consumeOrderFeature,
  enterpriseRefundFeature,
  memberCardBuyFeature,
  orderReviewFeature,
  orderStatisticsFeature,
  payOrderFeature,
  rechargeRecordFeature,
  rechargeRefundFeature,
  rechargeStatisticsFeature,
  refundOrderFeature,
  unfinishedOrderFeature,
  basicInfoFeature,
  bindPhoneFeature,
  changePasswordFeature,
  ownFactorFeature,
  ownSessionFeature,
  alarmCenterFeature,
  attributeSettingFeature,
  attributeTemplateFeature,
  consumptionStandardFeature,
  deadLetterFeature,
  deviceAuthFeature,
  deviceCategoryFeature,
  deviceCommandFeature,
  deviceDetailFeature,
  deviceManageFeature,
  deviceScanFeature,
  deviceTypeFeature,
  dtuProtocolFeature,
  instructionSetFeature,
  messageReplayFeature,
  platformAttributeFeature,
  repairTicketFeature,
  supplierFeature,
  tariffLabFeature,
  tariffPushFeature,
  baseServiceFeature,
  departmentFeature,
  downloadFeature,
  helpDocumentFeature,
  logFeature,
  menuManagerFeature,
  monthlyPlanFeature,
  operationAreaFeature,
  operatorInfoFeature,
  organiseFeature,
  ownershipFeature,
  qrCodeManageFeature,
  regionFeature,
  resourceFeature,
  roleTemplateFeature,
  roleFeature,
  siteDetailFeature,
  siteFeature,
  staffFeature,
  userMaintenanceFeature,
]
