import { menuKey, orderMenus } from '@wattdeck/contract/menu-keys.ts'
import { type Found, search } from '@wattdeck/contract/auth/search.ts'
import type { Db } from '../../../kit/db/db.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import * as records from './find-records.store.ts'
import * as store from './search.store.ts'

type Kind = {
  kind: Found['kind']
  /** A holder of any of these menus can open the page of such a record. */
  menus: readonly string[]
  find: (db: Db, scope: Scope, text: string) => Promise<Omit<Found, 'kind'>[]>
}

/** In the display order of the palette. */
const kinds: readonly Kind[] = [
  { kind: 'device', menus: [menuKey.deviceManage], find: records.findDevices },
  { kind: 'order', menus: orderMenus, find: records.findOrders },
  { kind: 'member', menus: [menuKey.wechatUser, menuKey.miniUser], find: records.findMembers },
  { kind: 'site', menus: [menuKey.site], find: store.findSites },
  { kind: 'ticket', menus: [menuKey.repairTicket], find: records.findTickets },
  { kind: 'payment', menus: [menuKey.payOrder], find: records.findPayments },
  { kind: 'recharge', menus: [menuKey.rechargeRecord], find: records.findRecharges },
  { kind: 'refund', menus: [menuKey.refundOrder], find: records.findRefunds },
  { kind: 'staff', menus: [menuKey.staff], find: (db, _, text) => store.findStaff(db, text) },
  { kind: 'department', menus: [menuKey.department], find: (db, _, text) => store.findDepartments(db, text) },
  { kind: 'role', menus: [menuKey.role], find: (db, _, text) => store.findRoles(db, text) },
  { kind: 'organise', menus: [menuKey.organise], find: store.findOrganises },
  { kind: 'agent', menus: [menuKey.operatorInfo], find: store.findAgents },
]

const searchHandlers: Handlers<typeof search> = {
  records: async ({ db, scope, actor, query: { q } }) => {
    const allowed = kinds.filter(({ menus }) => menus.some((menu) => actor.menuKeys.includes(menu)))
    const found = await Promise.all(
      allowed.map(async ({ kind, find }) => (await find(db, scope, q)).map((row) => Object.assign(row, { kind }))),
    )
    return found.flat()
  },
}

export const searchFeature = defineFeature(search, searchHandlers)
