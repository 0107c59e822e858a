import { features } from '@wattdeck/contract/all-routes.ts'
import type { FastifyInstance } from 'fastify'
import { customerAnalysisHandlers } from '../features/accounting/customer-analysis/customer-analysis.routes.ts'
import { payAuthHandlers } from '../features/accounting/pay-auth/pay-auth.routes.ts'
import { paySettingHandlers } from '../features/accounting/pay-setting/pay-setting.routes.ts'
import { reconciliationHandlers } from '../features/accounting/reconciliation/reconciliation.routes.ts'
import { batchKinds } from './bulk.ts'
import { accountDetailHandlers } from '../features/dashboard/account-detail/account-detail.routes.ts'
import { bigScreenHandlers } from '../features/dashboard/big-screen/big-screen.routes.ts'
import { openScreen } from '../features/dashboard/big-screen/big-screen.stream.ts'
import { screenLinkHandlers } from '../features/dashboard/screen-link/screen-link.routes.ts'
import { analysisHandlers } from '../features/dashboard/analysis/analysis.routes.ts'
import { workTableHandlers } from '../features/dashboard/work-table/work-table.routes.ts'
import { type Deps, implement, implementStream } from '../kit/http/http.ts'
import type { LiveHub } from '../kit/events/live.ts'
import { chargingOrderHandlers } from '../features/order/charging-order/charging-order.routes.ts'
import { completedOrderHandlers } from '../features/order/completed-order/completed-order.routes.ts'
import { consumeOrderHandlers } from '../features/order/consume-order/consume-order.routes.ts'
import { enterpriseRefundHandlers } from '../features/order/enterprise-refund/enterprise-refund.routes.ts'
import { orderReviewHandlers } from '../features/order/order-review/order-review.routes.ts'
import { orderStatisticsHandlers } from '../features/order/order-statistics/order-statistics.routes.ts'
import { payOrderHandlers } from '../features/order/pay-order/pay-order.routes.ts'
import { rechargeRecordHandlers } from '../features/order/recharge-record/recharge-record.routes.ts'
import { rechargeRefundHandlers } from '../features/order/recharge-refund/recharge-refund.routes.ts'
import { refundOrderHandlers } from '../features/order/refund-order/refund-order.routes.ts'
import { rechargeStatisticsHandlers } from '../features/order/recharge-statistics/recharge-statistics.routes.ts'
import { unfinishedOrderHandlers } from '../features/order/unfinished-order/unfinished-order.routes.ts'
import { openRechargeHandlers } from '../features/open/open-recharge/open-recharge.routes.ts'
import { openRechargeRefundHandlers } from '../features/open/open-recharge-refund/open-recharge-refund.routes.ts'
import { payNoticeHandlers } from '../features/open/pay-notice/pay-notice.routes.ts'
import type { Merchants } from '../core/payments/merchants.ts'
import { payHooks } from './payments.ts'
import { openChargingHandlers } from '../features/open/open-charging/open-charging.routes.ts'
import { balanceAdjustmentHandlers } from '../features/member/balance-adjustment/balance-adjustment.routes.ts'
import { memberInfoHandlers } from '../features/member/member-info/member-info.routes.ts'
import { miniUserHandlers } from '../features/member/mini-user/mini-user.routes.ts'
import { wechatUserHandlers } from '../features/member/wechat-user/wechat-user.routes.ts'
import { basicInfoHandlers } from '../features/personal/basic-info/basic-info.routes.ts'
import { bindPhoneHandlers } from '../features/personal/bind-phone/bind-phone.routes.ts'
import { changePasswordHandlers } from '../features/personal/change-password/change-password.routes.ts'
import { ownFactorHandlers } from '../features/personal/own-factor/own-factor.routes.ts'
import { ownSessionHandlers } from '../features/personal/own-session/own-session.routes.ts'
import { alarmCenterHandlers } from '../features/product/alarm-center/alarm-center.routes.ts'
import { attributeTemplateHandlers } from '../features/product/attribute-template/attribute-template.routes.ts'
import { consumptionStandardHandlers } from '../features/product/consumption-standard/consumption-standard.routes.ts'
import { deviceCategoryHandlers } from '../features/product/device-category/device-category.routes.ts'
import { deviceTypeHandlers } from '../features/product/device-type/device-type.routes.ts'
import { dtuProtocolHandlers } from '../features/product/dtu-protocol/dtu-protocol.routes.ts'
import { instructionSetHandlers } from '../features/product/instruction-set/instruction-set.routes.ts'
import { platformAttributeHandlers } from '../features/product/platform-attribute/platform-attribute.routes.ts'
import { deadLetterHandlers } from '../features/product/dead-letter/dead-letter.routes.ts'
import { messageReplayHandlers } from '../features/product/message-replay/message-replay.routes.ts'
import { attributeSettingHandlers } from '../features/product/attribute-setting/attribute-setting.routes.ts'
import { deviceCommandHandlers } from '../features/product/device-command/device-command.routes.ts'
import { deviceAuthHandlers } from '../features/product/device-auth/device-auth.routes.ts'
import { deviceDetailHandlers } from '../features/product/device-detail/device-detail.routes.ts'
import { deviceManageHandlers } from '../features/product/device-manage/device-manage.routes.ts'
import { repairTicketHandlers } from '../features/product/repair-ticket/repair-ticket.routes.ts'
import { deviceScanHandlers } from '../features/product/device-scan/device-scan.routes.ts'
import { tariffLabHandlers } from '../features/product/tariff-lab/tariff-lab.routes.ts'
import { tariffPushHandlers } from '../features/product/tariff-push/tariff-push.routes.ts'
import { fileHandlers } from '../features/session/file/file.routes.ts'
import { alipayAuthHandlers } from '../features/session/alipay-auth/alipay-auth.routes.ts'
import { loginHandlers } from '../features/session/login/login.routes.ts'
import { notificationHandlers } from '../features/session/notification/notification.routes.ts'
import { personalDataHandlers } from '../features/session/personal-data/personal-data.routes.ts'
import { savedViewHandlers } from '../features/session/saved-view/saved-view.routes.ts'
import { searchHandlers } from '../features/session/search/search.routes.ts'
import { sessionHandlers } from '../features/session/session/session.routes.ts'
import { batchHandlers } from '../features/system/batch/batch.routes.ts'
import { baseServiceHandlers } from '../features/system/base-service/base-service.routes.ts'
import { departmentHandlers } from '../features/system/department/department.routes.ts'
import { downloadHandlers } from '../features/system/download/download.routes.ts'
import { helpDocumentHandlers } from '../features/system/help-document/help-document.routes.ts'
import { logHandlers } from '../features/system/log/log.routes.ts'
import { menuManagerHandlers } from '../features/system/menu-manager/menu-manager.routes.ts'
import { qrCodeManageHandlers } from '../features/system/qr-code-manage/qr-code-manage.routes.ts'
import { regionHandlers } from '../features/system/region/region.routes.ts'
import { operationAreaHandlers } from '../features/system/operation-area/operation-area.routes.ts'
import { operatorInfoHandlers } from '../features/system/operator-info/operator-info.routes.ts'
import { organiseHandlers } from '../features/system/organise/organise.routes.ts'
import { ownershipHandlers } from '../features/system/ownership/ownership.routes.ts'
import { resourceHandlers } from '../features/system/resource/resource.routes.ts'
import { roleHandlers } from '../features/system/role/role.routes.ts'
import { siteHandlers } from '../features/system/site/site.routes.ts'
import { staffHandlers } from '../features/system/staff/staff.routes.ts'
import { userMaintenanceHandlers } from '../features/system/user-maintenance/user-maintenance.routes.ts'

/** Every feature, in one place, in the order of the contract. */
export function implementFeatures(app: FastifyInstance, deps: Deps, live: LiveHub, merchants: Merchants): void {
  implement(app, deps, features.login, loginHandlers(deps))
  implement(app, deps, features.session, sessionHandlers)
  implement(app, deps, features.notification, notificationHandlers)
  implementStream(app, deps, features.notification.live, (actor, { query }, request, reply) =>
    live.open(actor, query.devices ?? [], request, reply),
  )
  implement(app, deps, features.personalData, personalDataHandlers(deps.vault))
  implement(app, deps, features.search, searchHandlers)
  implement(app, deps, features.file, fileHandlers(deps))
  implement(app, deps, features.savedView, savedViewHandlers)
  implement(app, deps, features.menuManager, menuManagerHandlers)
  implement(app, deps, features.department, departmentHandlers)
  implement(app, deps, features.staff, staffHandlers(deps))
  implement(app, deps, features.resource, resourceHandlers)
  implement(app, deps, features.role, roleHandlers)
  implement(app, deps, features.ownership, ownershipHandlers)
  implement(app, deps, features.log, logHandlers)
  implement(app, deps, features.organise, organiseHandlers(deps))
  implement(app, deps, features.operatorInfo, operatorInfoHandlers(deps))
  implement(app, deps, features.site, siteHandlers(deps))
  implement(app, deps, features.userMaintenance, userMaintenanceHandlers(deps))
  implement(app, deps, features.operationArea, operationAreaHandlers)
  implement(app, deps, features.batch, batchHandlers(batchKinds))
  implement(app, deps, features.download, downloadHandlers)
  implement(app, deps, features.region, regionHandlers)
  implement(app, deps, features.helpDocument, helpDocumentHandlers)
  implement(app, deps, features.baseService, baseServiceHandlers)
  implement(app, deps, features.alipayAuth, alipayAuthHandlers(deps))
  implement(app, deps, features.dtuProtocol, dtuProtocolHandlers)
  implement(app, deps, features.deviceCategory, deviceCategoryHandlers)
  implement(app, deps, features.deviceType, deviceTypeHandlers)
  implement(app, deps, features.instructionSet, instructionSetHandlers(deps))
  implement(app, deps, features.attributeTemplate, attributeTemplateHandlers)
  implement(app, deps, features.platformAttribute, platformAttributeHandlers)
  implement(app, deps, features.basicInfo, basicInfoHandlers)
  implement(app, deps, features.changePassword, changePasswordHandlers(deps))
  implement(app, deps, features.bindPhone, bindPhoneHandlers(deps))
  implement(app, deps, features.ownFactor, ownFactorHandlers(deps))
  implement(app, deps, features.ownSession, ownSessionHandlers(deps))
  implement(app, deps, features.workTable, workTableHandlers)
  implement(app, deps, features.qrCodeManage, qrCodeManageHandlers)
  implement(app, deps, features.deviceManage, deviceManageHandlers(deps))
  implement(app, deps, features.deviceDetail, deviceDetailHandlers)
  implement(app, deps, features.deviceCommand, deviceCommandHandlers(deps))
  implement(app, deps, features.attributeSetting, attributeSettingHandlers(deps))
  implement(app, deps, features.deviceAuth, deviceAuthHandlers(deps))
  implement(app, deps, features.deviceScan, deviceScanHandlers(deps))
  implement(app, deps, features.deadLetter, deadLetterHandlers)
  implement(app, deps, features.messageReplay, messageReplayHandlers)
  implement(app, deps, features.alarmCenter, alarmCenterHandlers)
  implement(app, deps, features.repairTicket, repairTicketHandlers)
  implement(app, deps, features.openCharging, openChargingHandlers(deps))
  implement(app, deps, features.openRecharge, openRechargeHandlers)
  implement(app, deps, features.openRechargeRefund, openRechargeRefundHandlers)
  implement(app, deps, features.payNotice, payNoticeHandlers(deps.signer, merchants, payHooks))
  implement(app, deps, features.payOrder, payOrderHandlers)
  implement(app, deps, features.rechargeRecord, rechargeRecordHandlers)
  implement(app, deps, features.refundOrder, refundOrderHandlers)
  implement(app, deps, features.rechargeRefund, rechargeRefundHandlers)
  implement(app, deps, features.enterpriseRefund, enterpriseRefundHandlers(deps.vault))
  implement(app, deps, features.paySetting, paySettingHandlers(deps.signer, merchants))
  implement(app, deps, features.payAuth, payAuthHandlers)
  implement(app, deps, features.reconciliation, reconciliationHandlers)
  implement(app, deps, features.memberInfo, memberInfoHandlers)
  implement(app, deps, features.wechatUser, wechatUserHandlers)
  implement(app, deps, features.miniUser, miniUserHandlers)
  implement(app, deps, features.balanceAdjustment, balanceAdjustmentHandlers)
  implement(app, deps, features.accountDetail, accountDetailHandlers)
  implement(app, deps, features.screenLink, screenLinkHandlers(deps.screenLinks.signer))
  implement(app, deps, features.consumptionStandard, consumptionStandardHandlers)
  implement(app, deps, features.tariffPush, tariffPushHandlers)
  implement(app, deps, features.tariffLab, tariffLabHandlers)
  implement(app, deps, features.consumeOrder, consumeOrderHandlers(deps))
  implement(app, deps, features.completedOrder, completedOrderHandlers)
  implement(app, deps, features.unfinishedOrder, unfinishedOrderHandlers)
  implement(app, deps, features.orderReview, orderReviewHandlers)
  implement(app, deps, features.chargingOrder, chargingOrderHandlers(deps))
  implement(app, deps, features.orderStatistics, orderStatisticsHandlers)
  implement(app, deps, features.rechargeStatistics, rechargeStatisticsHandlers)
  implement(app, deps, features.bigScreen, bigScreenHandlers)
  implementStream(app, deps, features.bigScreen.heartbeat, (actor, { params }, request, reply) =>
    openScreen(deps, actor, params.id, request, reply),
  )
  implement(app, deps, features.analysis, analysisHandlers)
  implement(app, deps, features.customerAnalysis, customerAnalysisHandlers)
}
