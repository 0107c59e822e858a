import { accountDetail } from './dashboard/account-detail.ts'
import { workTable } from './dashboard/work-table.ts'
import type { AnyRoute, Routes } from './kit/route.ts'
import { openCharging } from './open/open-charging.ts'
import { balanceAdjustment } from './member/balance-adjustment.ts'
import { memberInfo } from './member/member-info.ts'
import { miniUser } from './member/mini-user.ts'
import { wechatUser } from './member/wechat-user.ts'
import { chargingOrder } from './order/charging-order.ts'
import { completedOrder } from './order/completed-order.ts'
import { consumeOrder } from './order/consume-order.ts'
import { orderReview } from './order/order-review.ts'
import { unfinishedOrder } from './order/unfinished-order.ts'
import { basicInfo } from './personal/basic-info.ts'
import { bindPhone } from './personal/bind-phone.ts'
import { changePassword } from './personal/change-password.ts'
import { alarmCenter } from './product/alarm-center.ts'
import { attributeTemplate } from './product/attribute-template.ts'
import { consumptionStandard } from './product/consumption-standard.ts'
import { deviceCategory } from './product/device-category.ts'
import { deviceType } from './product/device-type.ts'
import { dtuProtocol } from './product/dtu-protocol.ts'
import { instructionSet } from './product/instruction-set.ts'
import { platformAttribute } from './product/platform-attribute.ts'
import { deadLetter } from './product/dead-letter.ts'
import { messageReplay } from './product/message-replay.ts'
import { attributeSetting } from './product/attribute-setting.ts'
import { deviceCommand } from './product/device-command.ts'
import { deviceAuth } from './product/device-auth.ts'
import { deviceDetail } from './product/device-detail.ts'
import { deviceManage } from './product/device-manage.ts'
import { repairTicket } from './product/repair-ticket.ts'
import { tariffLab } from './product/tariff-lab.ts'
import { tariffPush } from './product/tariff-push.ts'
import { deviceScan } from './product/device-scan.ts'
import { file } from './session/file.ts'
import { alipayAuth } from './session/alipay-auth.ts'
import { login } from './session/login.ts'
import { notification } from './session/notification.ts'
import { personalData } from './session/personal-data.ts'
import { savedView } from './session/saved-view.ts'
import { search } from './session/search.ts'
import { session } from './session/session.ts'
import { batch } from './system/batch.ts'
import { baseService } from './system/base-service.ts'
import { department } from './system/department.ts'
import { download } from './system/download.ts'
import { helpDocument } from './system/help-document.ts'
import { log } from './system/log.ts'
import { menuManager } from './system/menu-manager.ts'
import { operationArea } from './system/operation-area.ts'
import { operatorInfo } from './system/operator-info.ts'
import { organise } from './system/organise.ts'
import { ownership } from './system/ownership.ts'
import { qrCodeManage } from './system/qr-code-manage.ts'
import { region } from './system/region.ts'
import { resource } from './system/resource.ts'
import { role } from './system/role.ts'
import { site } from './system/site.ts'
import { staff } from './system/staff.ts'
import { userMaintenance } from './system/user-maintenance.ts'

/** The whole API, by feature. The server implements exactly this, tests loop over it, the OpenAPI document is made of it. */
export const features = {
  login,
  session,
  notification,
  personalData,
  search,
  file,
  savedView,
  menuManager,
  department,
  staff,
  resource,
  role,
  ownership,
  log,
  organise,
  operatorInfo,
  site,
  userMaintenance,
  operationArea,
  batch,
  download,
  region,
  helpDocument,
  baseService,
  alipayAuth,
  dtuProtocol,
  deviceCategory,
  deviceType,
  instructionSet,
  attributeTemplate,
  platformAttribute,
  basicInfo,
  changePassword,
  bindPhone,
  workTable,
  qrCodeManage,
  deviceManage,
  deviceDetail,
  deviceCommand,
  attributeSetting,
  deviceAuth,
  deviceScan,
  deadLetter,
  messageReplay,
  alarmCenter,
  repairTicket,
  openCharging,
  memberInfo,
  wechatUser,
  miniUser,
  balanceAdjustment,
  accountDetail,
  consumptionStandard,
  tariffPush,
  tariffLab,
  consumeOrder,
  completedOrder,
  unfinishedOrder,
  orderReview,
  chargingOrder,
} satisfies Record<string, Routes>

type NamedRoute = { feature: string; name: string; route: AnyRoute }
export const allRoutes: NamedRoute[] = Object.entries(features as Record<string, Routes>).flatMap(([feature, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ feature, name, route })),
)
