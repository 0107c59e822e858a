import { expect, it } from 'vitest'
import { dayPresets } from './presets.ts'

it('counts days up to today', () => {
  expect(dayPresets('2026-03-01').map(({ name, text }) => [name, text])).toEqual([
    ['今日', 'from=2026-03-01&to=2026-03-01'],
    ['近7天', 'from=2026-02-23&to=2026-03-01'],
    ['近30天', 'from=2026-01-31&to=2026-03-01'],
  ])
})

it('marks the named preset as the opening one', () => {
  expect(dayPresets('2026-03-01', '近7天').filter(({ opens }) => opens)).toMatchObject([{ name: '近7天' }])
})
