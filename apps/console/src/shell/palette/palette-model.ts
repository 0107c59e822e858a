import type { Found } from '@wattdeck/contract/auth/search.ts'
import { matchesText } from '../../kit/display/pinyin.ts'
import { leavesOf, type MenuItem } from '../menu/menu-model.ts'

/** One line of the palette. */
export type Choice = { id: string; group: string; title: string; note?: string; path?: string; run?: () => void }

const recordHomes = {
  staff: { group: '员工', path: '/system/staff', filter: 'keyword' },
  department: { group: '部门', path: '/system/department', filter: 'name' },
  role: { group: '角色', path: '/system/role', filter: 'name' },
  organise: { group: '机构', path: '/system/organise', filter: 'keyword' },
  agent: { group: '代理商', path: '/system/operatorInfo', filter: 'keyword' },
  site: { group: '站点', path: '/system/site', filter: 'keyword' },
} as const

export const menuChoices = (menu: readonly MenuItem[], wanted: string): Choice[] =>
  menu.flatMap((centre) =>
    leavesOf([centre])
      .filter((leaf) => matchesText(`${centre.title} ${leaf.title}`, wanted))
      .map((leaf) => ({
        id: `menu:${leaf.key}`,
        group: '菜单',
        title: leaf.title,
        note: centre.title,
        path: leaf.path ?? '/',
      })),
  )

/** Records lead to their list, filtered to them. */
export const recordChoices = (found: readonly Found[]): Choice[] =>
  found.map((record) => {
    const home = recordHomes[record.kind]
    const search = new URLSearchParams({ [home.filter]: record.title })
    return {
      id: `${record.kind}:${record.id}`,
      group: home.group,
      title: record.title,
      note: record.note,
      path: `${home.path}?${search.toString()}`,
    }
  })

export const commandChoices = (commands: readonly { title: string; run: () => void }[], wanted: string): Choice[] =>
  commands
    .filter((command) => matchesText(command.title, wanted))
    .map((command) => ({ id: `command:${command.title}`, group: '命令', title: command.title, run: command.run }))

/** Menu keys that were opened from here, the latest first. Only keys: names of people have no place in storage. */
export const maxRecent = 5
export const withRecent = (recent: readonly string[], id: string) =>
  [id, ...recent.filter((other) => other !== id)].slice(0, maxRecent)

/** Without a question: what was opened lately comes first. */
export function recentFirst(choices: readonly Choice[], recent: readonly string[]): Choice[] {
  const lately = recent.flatMap((id) => choices.find((choice) => choice.id === id) ?? [])
  const marked = lately.map((choice) => Object.assign({}, choice, { group: '最近' }))
  return [...marked, ...choices.filter((choice) => !recent.includes(choice.id))]
}
