import { pagesOf, roleTemplates } from '../../apps/server/src/seed/role-templates.ts'

/** Menus of the demo's people by their task. */
const customerMenus = ['1.4', '1.4.2', '1.4.3', '1.4.4', '1.4.5', '1.1.5', '1.1.7']
const deviceMenus = ['4', '4.1', '4.1.1', '4.1.2', '4.1.3', '4.1.4', '4.1.5', '4.1.7', '4.1.8', '1.2', '1.2.2']
const memberMenus = ['6', '6.1', '6.3', '6.4', '6.7', '6.9', '2.5', '2.6', '2.17']
const orderMenus = [
  '7',
  '7.1',
  '7.2',
  '7.3',
  '7.4',
  '7.5',
  '7.6',
  '7.9',
  '7.10',
  '7.11',
  '7.12',
  '7.13',
  '7.16',
  '7.20',
  '7.21',
]
/** Menus of an organisation for payments and apps, not of its agents and sites. */
export const payMenus = ['6.8', '8', '8.1', '8.2', '8.8', '8.30']
/** The desk of an organisation, an agent or a site. */
const deskMenus = ['9', '9.1', '9.2', '9.3', '9.12', '9.15']
/** A link shows the whole organisation, so agents and sites cannot create one. */
export const screenMenus = ['10', '10.4']
const settingMenus = ['1', '1.1', '1.1.2', '1.1.3', '1.1.6', '1.5', '2', '2.1', '2.18', '2.30']
export const tenantMenus = [
  ...settingMenus,
  ...customerMenus,
  ...deviceMenus,
  ...memberMenus,
  ...orderMenus,
  ...deskMenus,
]

/** Every directory above a menu, and the menu itself. */
const withAbove = (key: string) => key.split('.').map((_, depth, parts) => parts.slice(0, depth + 1).join('.'))

/** Menus, and actions as 'menu:action', of a delivered role template. */
export function templateRights(code: string): { menus: string[]; actions: string[] } {
  const template = roleTemplates.find((one) => one.code === code)
  const pages = template && pagesOf(template)
  if (pages === undefined) throw new Error(`no role template with its own menus has the code ${code}`)
  return {
    menus: [...new Set([...pages.keys()].flatMap((key) => withAbove(key)))],
    actions: [...pages].flatMap(([key, actions]) =>
      actions === 'all' ? [] : actions.map((action) => `${key}:${action}`),
    ),
  }
}
