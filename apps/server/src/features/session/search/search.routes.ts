import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { search } from '@wattdeck/contract/session/search.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import * as store from './search.store.ts'

const kinds = [
  { kind: 'staff', menu: menuKey.staff, find: store.findStaff },
  { kind: 'department', menu: menuKey.department, find: store.findDepartments },
  { kind: 'role', menu: menuKey.role, find: store.findRoles },
  { kind: 'organise', menu: menuKey.organise, find: store.findOrganises },
  { kind: 'agent', menu: menuKey.operatorInfo, find: store.findAgents },
  { kind: 'site', menu: menuKey.site, find: store.findSites },
] as const

const searchHandlers: Handlers<typeof search> = {
  records: async ({ db, scope, actor, query: { q } }) => {
    const allowed = kinds.filter(({ menu }) => actor.menuKeys.includes(menu))
    const found = await Promise.all(
      allowed.map(async ({ kind, find }) => (await find(db, scope, q)).map((row) => Object.assign(row, { kind }))),
    )
    return found.flat()
  },
}

export const searchFeature = defineFeature(search, searchHandlers)
