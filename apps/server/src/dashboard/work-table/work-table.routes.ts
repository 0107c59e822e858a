import type { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { passwordPolicy } from '@wattdeck/domain/password.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import { readOrganise, recentLogins, staffToDo } from './work-table.store.ts'

async function toDo({ db, scope, actor }: Pick<Ctx<never>, 'db' | 'scope' | 'actor'>) {
  if (!actor.menuKeys.includes(menuKey.staff)) return []
  const { locked, oldPasswords } = await staffToDo(db, scope)
  const route = '/system/staff'
  return [
    { title: '已锁定的账号', count: locked, route },
    { title: `超过${passwordPolicy.maxAgeDays}天未修改密码的账号`, count: oldPasswords, route },
  ]
}

export const workTableHandlers: Handlers<typeof workTable> = {
  read: async (ctx) => {
    const { db, scope, actor } = ctx
    const [organise, logins, waiting] = await Promise.all([
      readOrganise(db, scope, actor.organiseId),
      recentLogins(db, scope, actor.userId),
      toDo(ctx),
    ])
    return {
      organiseName: organise.name,
      basicServiceStatus: organise.basicServiceStatus,
      recentLogins: logins,
      toDo: waiting,
    }
  },
}
