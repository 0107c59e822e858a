import type { Access } from '@wattdeck/contract/kit/route.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'

const granted = new WeakMap<readonly MenuNode[], Set<string>>()
const keysOf = (tree: readonly MenuNode[]): string[] =>
  tree.flatMap((node) => [node.menuKey, ...keysOf(node.childMenus)])

/** Cached per tree, because every link of a list checks it. */
export function grantedKeys(tree: readonly MenuNode[]): Set<string> {
  const keys = granted.get(tree) ?? new Set(keysOf(tree))
  granted.set(tree, keys)
  return keys
}

/** Whether the user may call a route: one of its menu keys, and for a change the action under that key. */
export function mayCall(
  user: Pick<UserInfo, 'menuTree' | 'grants' | 'organiseId' | 'agentId'> | undefined,
  access: Access,
): boolean {
  if (access === 'public') return true
  if (!user) return false
  if (access === 'partial' || access === 'anyone') return true
  if (access === 'signed') return false
  if (access.platform && (user.organiseId !== defaultOrganiseId || user.agentId !== null)) return false
  const keys = typeof access.menu === 'string' ? [access.menu] : access.menu
  const { action } = access
  if (action !== undefined) return keys.some((key) => user.grants.includes(`${key}:${action}`))
  const userKeys = grantedKeys(user.menuTree)
  return keys.some((key) => userKeys.has(key))
}
