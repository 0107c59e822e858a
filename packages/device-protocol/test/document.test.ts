import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountStatus } from '../src/account-status.ts'
import { alarmKind } from '../src/alarm-kind.ts'
import { decodeDown, downKinds } from '../src/mqtt-json/down.ts'
import { decodeUp, upKinds } from '../src/mqtt-json/up.ts'
import { plugStatus } from '../src/plug-status.ts'
import { refusal } from '../src/refusal.ts'
import { startMode } from '../src/start-mode.ts'
import { stopReason } from '../src/stop-reason.ts'
import { value } from './samples.ts'

/** The published document matches the implementation. */
const text = readFileSync(join(import.meta.dirname, '../../../docs/device-protocol.md'), 'utf8')
const examples = (mark: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`json ${mark}\\n([^\`]+)\`\`\`$`, 'gm'))].map(([, json = '']) => json)

/** Returns the trimmed rows of the table with these headings. */
function tableUnder(...heads: string[]): string[][] {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith('|') && cells(line).join('|') === heads.join('|'))
  expect(at, heads.join('|')).toBeGreaterThan(0)
  const rest = lines.slice(at + 2)
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells)
}

describe('docs/device-protocol.md', () => {
  it('has a valid example of every kind that a device publishes', () => {
    const kinds = examples('up').map((json) => value(decodeUp(json)).kind)
    expect(new Set(kinds)).toEqual(new Set(Object.keys(upKinds)))
  })

  it('shows every field of every kind', () => {
    const messages = examples('up').map((json) => JSON.parse(json) as Record<string, unknown>)
    for (const { k, shape } of Object.values(upKinds)) {
      const keys = new Set(messages.filter((message) => message['k'] === k).flatMap((message) => Object.keys(message)))
      expect(
        shape.keys.filter((key) => !keys.has(key)),
        k,
      ).toEqual([])
    }
  })

  it('has a valid example of every kind that the platform publishes', () => {
    const decoded = examples('down').map((json) => value(decodeDown(json)))
    const kinds = decoded.map((down) => (down.kind === 'command' ? down.sent.command.kind : down.answer.kind))
    expect(new Set(kinds)).toEqual(new Set([...Object.keys(downKinds), 'ack', 'swipeAnswer']))
  })

  it('has examples of refused messages', () => {
    expect(examples('refused').map((json) => decodeUp(json).ok)).toEqual([false, false, false])
  })

  it('states which kinds are acknowledged and kept', () => {
    const yes = (is: boolean) => (is ? 'yes' : 'no')
    expect(tableUnder('kind', 'acknowledged', 'kept', 'when').map((row) => row.slice(0, 3))).toEqual(
      Object.values(upKinds).map(({ k, acknowledged, kept }) => [`\`${k}\``, yes(acknowledged), yes(kept)]),
    )
  })

  it.each([
    ['status', plugStatus],
    ['start', startMode],
    ['stop reason', stopReason],
    ['alarm', alarmKind],
    ['refusal', refusal],
    ['account', accountStatus],
  ])('lists every %s', (head, table) => {
    const rows = Object.entries(table.rows).filter(([name]) => name !== 'unknown')
    expect(tableUnder('code', head, 'label')).toEqual(
      rows.map(([name, { label, mqttJson }]) => [String(mqttJson?.[0]), name, label]),
    )
  })
})
