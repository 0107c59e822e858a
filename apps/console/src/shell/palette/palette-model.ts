import type { Found } from '@wattdeck/contract/auth/search.ts'
import { objectPath, objectTypes } from '../../kit/objects/object-types.ts'
import { matchesText } from '../../kit/display/pinyin.ts'
import { leavesOf, type MenuItem } from '../menu/menu-model.ts'

/** One line of the palette. */
export type Choice = {
  id: string
  group: string
  title: string
  note?: string
  path?: string
  run?: () => void
  /** Its whole number was typed. */
  exact?: boolean
}
type Reader = Parameters<typeof objectPath>[2]
type Operation = { value: number | string; label: string }

/** Records without a page of their own link to their filtered list. */
const lists = {
  department: { group: '部门', path: '/system/department', filter: 'name' },
  role: { group: '角色', path: '/system/role', filter: 'name' },
  agent: { group: '代理商', path: '/system/operatorInfo', filter: 'keyword' },
} as const
type Listed = keyof typeof lists
const isListed = (kind: Found['kind']): kind is Listed => kind in lists

export const menuChoices = (menu: readonly MenuItem[], keyword: string): Choice[] =>
  menu.flatMap((centre) =>
    leavesOf([centre])
      .filter((leaf) => matchesText(`${centre.title} ${leaf.title}`, keyword))
      .map((leaf) => ({
        id: `menu:${leaf.key}`,
        group: '菜单',
        title: leaf.title,
        note: centre.title,
        path: leaf.path ?? '/',
      })),
  )

function homeOf({ kind, id, title }: Found, user: Reader): { group: string; path: string } | undefined {
  if (isListed(kind)) {
    const { group, path, filter } = lists[kind]
    return { group, path: `${path}?${new URLSearchParams({ [filter]: title }).toString()}` }
  }
  const path = objectPath(kind, id, user)
  return path === undefined ? undefined : { group: objectTypes[kind].word, path }
}

/** Records that the user may open. One whose whole number was typed comes first, so that Enter opens it. */
export function recordChoices(found: readonly Found[], user: Reader, keyword = ''): Choice[] {
  const choices = found.flatMap((record): Choice[] => {
    const home = homeOf(record, user)
    if (home === undefined) return []
    const { kind, id, title, no, note } = record
    const texts = [no === title || no === null ? '' : no, note]
    return [
      {
        id: `${kind}:${id}`,
        title,
        note: texts.filter((text) => text !== '').join(' · '),
        exact: isWhole(record, keyword),
        ...home,
      },
    ]
  })
  return choices.toSorted((one, other) => Number(other.exact ?? false) - Number(one.exact ?? false))
}
const isWhole = ({ no, title }: Found, keyword: string) =>
  keyword !== '' && [no, title].some((text) => text?.toLowerCase() === keyword.toLowerCase())

/** Commands on a device in the results; its page asks for confirmation before it sends one. */
export function deviceCommandChoices(
  found: readonly Found[],
  user: Reader,
  operations: readonly Operation[],
): Choice[] {
  return found.flatMap((record) => {
    const path = record.kind === 'device' ? objectPath('device', record.id, user) : undefined
    if (path === undefined) return []
    return operations.map(({ value, label }) => ({
      id: `operation:${record.id}:${value}`,
      group: '命令',
      title: `${label} ${record.no ?? record.title}`,
      note: record.title,
      path: `${path}&operation=${value}`,
    }))
  })
}

export const commandChoices = (commands: readonly { title: string; run: () => void }[], keyword: string): Choice[] =>
  commands
    .filter((command) => matchesText(command.title, keyword))
    .map((command) => ({ id: `command:${command.title}`, group: '命令', title: command.title, run: command.run }))

/** A menu or a command of the console, which needs no server request. */
export const isLocal = (choice: Choice | undefined): boolean => /^(?:menu|command):/.test(choice?.id ?? '')

/** Menu keys that were opened from here, the latest first. Only keys, because names of people must not be stored. */
export const maxRecent = 5
export const withRecent = (recent: readonly string[], id: string) =>
  [id, ...recent.filter((other) => other !== id)].slice(0, maxRecent)

/** For an empty query: recently opened menus come first. */
export function recentFirst(choices: readonly Choice[], recent: readonly string[]): Choice[] {
  const lately = recent.flatMap((id) => choices.find((choice) => choice.id === id) ?? [])
  const marked = lately.map((choice) => Object.assign({}, choice, { group: '最近' }))
  return [...marked, ...choices.filter((choice) => !recent.includes(choice.id))]
}
