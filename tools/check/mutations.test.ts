import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mutations } from './mutations.ts'

it('names one place in the code for every mutation, and an existing test', () => {
  const stale = mutations.filter(({ file, from, caughtBy }) => {
    const places = existsSync(file) ? readFileSync(file, 'utf8').split(from).length - 1 : 0
    return places !== 1 || ('test' in caughtBy && !existsSync(caughtBy.test))
  })
  expect(stale.map(({ name }) => name)).toEqual([])
  expect(mutations.length).toBeGreaterThanOrEqual(20)
})
