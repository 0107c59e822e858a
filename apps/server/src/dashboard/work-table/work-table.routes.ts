import type { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { passwordPolicy } from '@wattdeck/domain/password.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import * as store from './work-table.store.ts'

type Own = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

async function staffWaiting({ db, scope, actor }: Own) {
  if (!actor.menuKeys.includes(menuKey.staff)) return []
  const { locked, oldPasswords } = await store.staffToDo(db, scope)
  const route = '/system/staff'
  return [
    { title: '已锁定的账号', count: locked, route },
    { title: `超过${passwordPolicy.maxAgeDays}天未修改密码的账号`, count: oldPasswords, route },
  ]
}

async function decisionsWaiting({ db, scope, actor }: Own) {
  if (!actor.grants.includes(`${menuKey.balanceAdjustment}:approve`)) return []
  const count = await store.adjustmentsToDecide(db, scope, actor.userId)
  return [{ title: '待审批的余额调整', count, route: '/member/balanceAdjustment?status=1' }]
}

export const workTableHandlers: Handlers<typeof workTable> = {
  read: async (ctx) => {
    const { db, scope, actor } = ctx
    const [organise, recentLogins, ...waiting] = await Promise.all([
      store.readOrganise(db, scope, actor.organiseId),
      store.recentLogins(db, scope, actor.userId),
      decisionsWaiting(ctx),
      staffWaiting(ctx),
    ])
    return {
      organiseName: organise.name,
      basicServiceStatus: organise.basicServiceStatus,
      recentLogins,
      toDo: waiting.flat(),
    }
  },
}
