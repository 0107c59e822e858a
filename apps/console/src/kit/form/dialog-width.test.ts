import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialogWidth } from './dialog-width.ts'

const allowed = new Set<number>(Object.values(dialogWidth))
/** Side panels, which are not dialogs: the menu of a phone, notifications, help, and the parts of the work table. */
const panels = ['MenuDrawer.tsx', 'NotificationDrawer.tsx', 'HelpDrawer.tsx', 'work-table.arrange-drawer.tsx']

/** Every opening tag of a dialog or drawer of antd in the console, with its file. */
const tags = globSync('apps/console/src/**/*.tsx')
  .filter((file) => !panels.some((name) => file.endsWith(name)))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/<(Modal|Drawer|FormDialog)\b/g)].map(({ index }) => ({
      file,
      // A tag ends before its first child; a width is among its first attributes.
      attributes: text.slice(index, index + 400).split(/\n\s*<|>\n/)[0] ?? '',
    }))
  })

describe('the width of a dialog', () => {
  it('[constant.dialog-width] is one of five', () => {
    expect([...allowed]).toEqual([680, 780, 900, 1100, 1400])
    const wrong = tags.flatMap(({ file, attributes }) =>
      [...attributes.replaceAll(/'[^']*'/g, '').matchAll(/(?:width|size)=\{[^}]*?\b(\d{3,4})\b/g)]
        .filter(([, width]) => !allowed.has(Number(width)))
        .map(([text]) => `${file} ${text}`),
    )
    expect(wrong).toEqual([])
  })

  it('is set on every dialog of antd', () => {
    const unnamed = tags.filter(({ attributes }) => attributes.startsWith('<Modal') && !/\bwidth=/.test(attributes))
    expect(unnamed.map(({ file }) => file)).toEqual([])
    expect(tags.length).toBeGreaterThan(50)
  })
})
