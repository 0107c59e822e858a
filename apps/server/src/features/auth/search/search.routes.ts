import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { search } from '@wattdeck/contract/auth/search.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import * as store from './search.store.ts'

type Reader = Pick<Ctx<never>, 'db' | 'scope'>
const kinds = [
  { kind: 'staff', menu: menuKey.staff, find: ({ db }: Reader, q: string) => store.findStaff(db, q) },
  { kind: 'department', menu: menuKey.department, find: ({ db }: Reader, q: string) => store.findDepartments(db, q) },
  { kind: 'role', menu: menuKey.role, find: ({ db }: Reader, q: string) => store.findRoles(db, q) },
  {
    kind: 'organise',
    menu: menuKey.organise,
    find: ({ db, scope }: Reader, q: string) => store.findOrganises(db, scope, q),
  },
  {
    kind: 'agent',
    menu: menuKey.operatorInfo,
    find: ({ db, scope }: Reader, q: string) => store.findAgents(db, scope, q),
  },
  { kind: 'site', menu: menuKey.site, find: ({ db, scope }: Reader, q: string) => store.findSites(db, scope, q) },
] as const

const searchHandlers: Handlers<typeof search> = {
  records: async ({ db, scope, actor, query: { q } }) => {
    const reader = { db, scope }
    const allowed = kinds.filter(({ menu }) => actor.menuKeys.includes(menu))
    const found = await Promise.all(
      allowed.map(async ({ kind, find }) => (await find(reader, q)).map((row) => Object.assign(row, { kind }))),
    )
    return found.flat()
  },
}

export const searchFeature = defineFeature(search, searchHandlers)
