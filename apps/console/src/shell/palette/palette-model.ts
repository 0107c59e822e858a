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

/** Records without a page of their own lead to their list, filtered to them. */
const lists = {
  department: { group: '部门', path: '/system/department', filter: 'name' },
  role: { group: '角色', path: '/system/role', filter: 'name' },
  agent: { group: '代理商', path: '/system/operatorInfo', filter: 'keyword' },
} as const
type Listed = keyof typeof lists
const isListed = (kind: Found['kind']): kind is Listed => kind in lists

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

function homeOf({ kind, id, title }: Found, user: Reader): { group: string; path: string } | undefined {
  if (isListed(kind)) {
    const { group, path, filter } = lists[kind]
    return { group, path: `${path}?${new URLSearchParams({ [filter]: title }).toString()}` }
  }
  const path = objectPath(kind, id, user)
  return path === undefined ? undefined : { group: objectTypes[kind].word, path }
}

/** Records that the reader may open. One whose whole number was typed comes first, so that Enter opens it. */
export function recordChoices(found: readonly Found[], user: Reader, wanted = ''): Choice[] {
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
        exact: isWhole(record, wanted),
        ...home,
      },
    ]
  })
  return choices.toSorted((one, other) => Number(other.exact ?? false) - Number(one.exact ?? false))
}
const isWhole = ({ no, title }: Found, wanted: string) =>
  wanted !== '' && [no, title].some((text) => text?.toLowerCase() === wanted.toLowerCase())

/** What can be done to a device that was found: its page asks before anything is sent. */
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

export const commandChoices = (commands: readonly { title: string; run: () => void }[], wanted: string): Choice[] =>
  commands
    .filter((command) => matchesText(command.title, wanted))
    .map((command) => ({ id: `command:${command.title}`, group: '命令', title: command.title, run: command.run }))

/** A menu or a command of the console: found without asking the server. */
export const isLocal = (choice: Choice | undefined): boolean => /^(?:menu|command):/.test(choice?.id ?? '')

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
