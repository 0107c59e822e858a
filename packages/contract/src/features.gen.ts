// Written by `npm run registry`.
import { customerAnalysis } from './accounting/customer-analysis.ts'
import { payAuth } from './accounting/pay-auth.ts'
import { paySetting } from './accounting/pay-setting.ts'
import { reconciliation } from './accounting/reconciliation.ts'
import { alipayAuth } from './auth/alipay-auth.ts'
import { file } from './auth/file.ts'
import { login } from './auth/login.ts'
import { notification } from './auth/notification.ts'
import { personalData } from './auth/personal-data.ts'
import { savedView } from './auth/saved-view.ts'
import { search } from './auth/search.ts'
import { session } from './auth/session.ts'
import { accountDetail } from './dashboard/account-detail.ts'
import { analysis } from './dashboard/analysis.ts'
import { bigScreen } from './dashboard/big-screen.ts'
import { incomeExpense } from './dashboard/income-expense.ts'
import { liveOperations } from './dashboard/live-operations.ts'
import { menuBadges } from './dashboard/menu-badges.ts'
import { screenLink } from './dashboard/screen-link.ts'
import { workTable } from './dashboard/work-table.ts'
import { balanceAdjustment } from './member/balance-adjustment.ts'
import { blacklist } from './member/blacklist.ts'
import { chargingMini } from './member/charging-mini.ts'
import { memberInfo } from './member/member-info.ts'
import { miniUser } from './member/mini-user.ts'
import { openKey } from './member/open-key.ts'
import { wechatUser } from './member/wechat-user.ts'
import { whitelist } from './member/whitelist.ts'
import { openCharging } from './open/open-charging.ts'
import { openCoupon } from './open/open-coupon.ts'
import { openPass } from './open/open-pass.ts'
import { openRechargeRefund } from './open/open-recharge-refund.ts'
import { openRecharge } from './open/open-recharge.ts'
import { payNotice } from './open/pay-notice.ts'
import { cardRecharge } from './operating/card-recharge.ts'
import { cardSwipe } from './operating/card-swipe.ts'
import { couponGrant } from './operating/coupon-grant.ts'
import { coupon } from './operating/coupon.ts'
import { deskShift } from './operating/desk-shift.ts'
import { offlineRecharge } from './operating/offline-recharge.ts'
import { rechargeThreshold } from './operating/recharge-threshold.ts'
import { storedCard } from './operating/stored-card.ts'
import { chargingOrder } from './order/charging-order.ts'
import { completedOrder } from './order/completed-order.ts'
import { consumeOrder } from './order/consume-order.ts'
import { enterpriseRefund } from './order/enterprise-refund.ts'
import { memberCardBuy } from './order/member-card-buy.ts'
import { orderReview } from './order/order-review.ts'
import { orderStatistics } from './order/order-statistics.ts'
import { payOrder } from './order/pay-order.ts'
import { rechargeRecord } from './order/recharge-record.ts'
import { rechargeRefund } from './order/recharge-refund.ts'
import { rechargeStatistics } from './order/recharge-statistics.ts'
import { refundOrder } from './order/refund-order.ts'
import { unfinishedOrder } from './order/unfinished-order.ts'
import { basicInfo } from './personal/basic-info.ts'
import { bindPhone } from './personal/bind-phone.ts'
import { changePassword } from './personal/change-password.ts'
import { ownFactor } from './personal/own-factor.ts'
import { ownSession } from './personal/own-session.ts'
import { alarmCenter } from './product/alarm-center.ts'
import { attributeSetting } from './product/attribute-setting.ts'
import { attributeTemplate, attributeTemplateCrud } from './product/attribute-template.ts'
import { consumptionStandard } from './product/consumption-standard.ts'
import { deadLetter } from './product/dead-letter.ts'
import { deviceAuth } from './product/device-auth.ts'
import { deviceCategory } from './product/device-category.ts'
import { deviceCommand } from './product/device-command.ts'
import { deviceDetail } from './product/device-detail.ts'
import { deviceManage } from './product/device-manage.ts'
import { deviceScan } from './product/device-scan.ts'
import { deviceType } from './product/device-type.ts'
import { dtuProtocol, dtuProtocolCrud } from './product/dtu-protocol.ts'
import { instructionSet } from './product/instruction-set.ts'
import { messageReplay } from './product/message-replay.ts'
import { platformAttribute } from './product/platform-attribute.ts'
import { repairTicket } from './product/repair-ticket.ts'
import { supplierCrud } from './product/supplier.ts'
import { tariffLab } from './product/tariff-lab.ts'
import { tariffPush } from './product/tariff-push.ts'
import { baseService } from './system/base-service.ts'
import { batch } from './system/batch.ts'
import { department } from './system/department.ts'
import { download } from './system/download.ts'
import { helpDocument } from './system/help-document.ts'
import { log } from './system/log.ts'
import { menuManager } from './system/menu-manager.ts'
import { monthlyPlan } from './system/monthly-plan.ts'
import { operationArea } from './system/operation-area.ts'
import { operatorInfo } from './system/operator-info.ts'
import { organise } from './system/organise.ts'
import { ownership } from './system/ownership.ts'
import { qrCodeManage } from './system/qr-code-manage.ts'
import { region } from './system/region.ts'
import { resource } from './system/resource.ts'
import { roleTemplate } from './system/role-template.ts'
import { role } from './system/role.ts'
import { siteDetail } from './system/site-detail.ts'
import { site } from './system/site.ts'
import { staff } from './system/staff.ts'
import { userMaintenance } from './system/user-maintenance.ts'

/** Routes, by feature. */
export const features = {
  customerAnalysis,
  payAuth,
  paySetting,
  reconciliation,
  alipayAuth,
  file,
  login,
  notification,
  personalData,
  savedView,
  search,
  session,
  accountDetail,
  analysis,
  bigScreen,
  incomeExpense,
  liveOperations,
  menuBadges,
  screenLink,
  workTable,
  balanceAdjustment,
  blacklist,
  chargingMini,
  memberInfo,
  miniUser,
  openKey,
  wechatUser,
  whitelist,
  openCharging,
  openCoupon,
  openPass,
  openRechargeRefund,
  openRecharge,
  payNotice,
  cardRecharge,
  cardSwipe,
  couponGrant,
  coupon,
  deskShift,
  offlineRecharge,
  rechargeThreshold,
  storedCard,
  chargingOrder,
  completedOrder,
  consumeOrder,
  enterpriseRefund,
  memberCardBuy,
  orderReview,
  orderStatistics,
  payOrder,
  rechargeRecord,
  rechargeRefund,
  rechargeStatistics,
  refundOrder,
  unfinishedOrder,
  basicInfo,
  bindPhone,
  changePassword,
  ownFactor,
  ownSession,
  alarmCenter,
  attributeSetting,
  attributeTemplate,
  consumptionStandard,
  deadLetter,
  deviceAuth,
  deviceCategory,
  deviceCommand,
  deviceDetail,
  deviceManage,
  deviceScan,
  deviceType,
  dtuProtocol,
  instructionSet,
  messageReplay,
  platformAttribute,
  repairTicket,
  supplier: supplierCrud.routes,
  tariffLab,
  tariffPush,
  baseService,
  batch,
  department,
  download,
  helpDocument,
  log,
  menuManager,
  monthlyPlan,
  operationArea,
  operatorInfo,
  organise,
  ownership,
  qrCodeManage,
  region,
  resource,
  roleTemplate,
  role,
  siteDetail,
  site,
  staff,
  userMaintenance,
}

/** Plain lists of records, by feature. */
export const cruds = {
  attributeTemplate: attributeTemplateCrud,
  dtuProtocol: dtuProtocolCrud,
  supplier: supplierCrud,
}
