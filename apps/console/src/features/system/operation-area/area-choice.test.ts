import { describe, expect, it } from 'vitest'
import { redrawn } from './area-choice.ts'

const square = (lng: number) => [
  { lng, lat: 30 },
  { lng: lng + 1, lat: 30 },
  { lng: lng + 1, lat: 31 },
  { lng, lat: 31 },
]
const points = [
  { id: '1', name: '西站', lng: 120.5, lat: 30.5 },
  { id: '2', name: '东站', lng: 122.5, lat: 30.5 },
]
const chosen = (choice: ReturnType<typeof redrawn>) => [...choice.sites.keys()]

describe('a polygon', () => {
  const first = redrawn({ sites: new Map([['9', '手选']]), corners: [] }, points, square(120))

  it('adds the sites inside it to the selection', () => {
    expect(chosen(first)).toEqual(['9', '1'])
    expect(first.sites.get('1')).toBe('西站')
  })

  it('removes the sites of the previous polygon', () => {
    expect(chosen(redrawn(first, points, square(122)))).toEqual(['9', '2'])
    expect(chosen(redrawn(first, points, []))).toEqual(['9'])
  })

  it('does not mutate the previous selection', () => {
    redrawn(first, points, [])
    expect(chosen(first)).toEqual(['9', '1'])
  })
})
