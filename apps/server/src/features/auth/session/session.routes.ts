import { session } from '@wattdeck/contract/auth/session.ts'
import { cloudMerchantFinanceAuthority } from '@wattdeck/domain/roles.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { loadMenus, menuTree } from '../../../kit/auth/menus.ts'
import { invalid, notFound } from '../../../kit/http/refusal.ts'
import { rightsOf } from '../../../kit/auth/rights.ts'
import { reveal } from '../../_shared/reveal.ts'
import { avatarUrl, isVisible, readDeviceTypes, readPaths, readProfile, type Theme } from './session.store.ts'

const sessionHandlers: Handlers<typeof session> = {
  userInfo: async ({ db, scope, actor, request }) => {
    const [profile, menus, types] = await Promise.all([
      readProfile(db, actor.userId),
      loadMenus(db),
      readDeviceTypes(db, scope),
    ])
    if (profile === undefined) throw notFound()
    const paths = await readPaths(db, profile.department_id, actor.agentId)
    const grantedMenus = new Set(actor.menuKeys)
    return {
      id: actor.userId,
      operatorId: actor.userId,
      userName: profile.name,
      phone: profile.phone,
      userPhone: profile.phone,
      dPhone: profile.department_phone,
      employeeId: profile.employee_no,
      userType: actor.userType,
      roleTopLevel: actor.roleTopLevel,
      departmentId: profile.department_id,
      departmentFullName: paths.department,
      parentDepartmentName: profile.parent_department_name,
      organiseId: actor.organiseId,
      organiseName: profile.organise_name,
      agentId: actor.agentId,
      parentAgentId: profile.parent_agent_id,
      agentFullName: paths.agent,
      email: profile.email,
      address: profile.address,
      loginName: profile.login_name,
      access_token: request.token,
      roleCodeList: actor.roleCodes,
      deviceTypes: types.map(({ code, id, name }) => ({ code, id, name })),
      theme: profile.theme as Theme,
      color: profile.color,
      menuTree: menuTree(menus, (menu) => grantedMenus.has(menu.menuKey)),
      authorisedRoutes: menus
        .filter((menu) => menu.route !== null && grantedMenus.has(menu.menuKey))
        .map((menu) => menu.route ?? ''),
      // There is no shop, so nothing can be in its cart.
      shoppingCartCount: 0,
      basicServiceStatus: profile.basic_service_status as 1 | 2 | 3,
      hasDesensitizePermission: actor.unmask,
      // The category with most of the reader's devices.
      currentCategoryCode: types[0]?.categoryCode ?? null,
      allinPayFinancialAuthority: cloudMerchantFinanceAuthority(profile.member_role_name),
      grants: actor.grants,
      serviceExpiresOn: profile.service_expires_on,
      avatar: avatarUrl(profile.avatar),
      actedBy: actor.actedBy,
    }
  },

  verifyPermissions: async (ctx) => {
    const { db, scope, actor, params, body } = ctx
    const { kind, rowId, field, reason } = body
    if (kind !== undefined && rowId !== undefined && field !== undefined && reason !== undefined) {
      if (params.userId !== actor.userId) throw notFound()
      return reveal(ctx, { kind, rowId, field, reason })
    }
    if (Object.keys(body).length > 0) throw invalid('请填写查看原因')
    ctx.setAuditDetail('校验权限')
    if (params.userId === actor.userId) return actor.unmask
    if (!(await isVisible(db, params.userId))) throw notFound()
    return (await rightsOf(db, scope, params.userId)).unmask
  },

  // The audit line is the only effect of this route.
  watermarkRemoved: () => Promise.resolve(null),
}

export const sessionFeature = defineFeature(session, sessionHandlers)
