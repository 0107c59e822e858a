import { workTable } from './dashboard/work-table.ts'
import type { AnyRoute, Routes } from './kit/route.ts'
import { basicInfo } from './personal/basic-info.ts'
import { bindPhone } from './personal/bind-phone.ts'
import { changePassword } from './personal/change-password.ts'
import { login } from './session/login.ts'
import { notification } from './session/notification.ts'
import { search } from './session/search.ts'
import { session } from './session/session.ts'
import { department } from './system/department.ts'
import { log } from './system/log.ts'
import { menuManager } from './system/menu-manager.ts'
import { resource } from './system/resource.ts'
import { role } from './system/role.ts'
import { staff } from './system/staff.ts'

/** The whole API, by feature. The server implements exactly this, tests loop over it, the OpenAPI document is made of it. */
export const features = {
  login,
  session,
  notification,
  search,
  menuManager,
  department,
  staff,
  resource,
  role,
  log,
  basicInfo,
  changePassword,
  bindPhone,
  workTable,
} satisfies Record<string, Routes>

type NamedRoute = { feature: string; name: string; route: AnyRoute }
export const allRoutes: NamedRoute[] = Object.entries(features as Record<string, Routes>).flatMap(([feature, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ feature, name, route })),
)
