import { expect, it } from 'vitest'
import { csvOf } from './chart-csv.ts'

it('a file begins with a byte order mark and keeps numbers as they are', () => {
  expect(
    csvOf({
      head: ['时间', '营收'],
      rows: [
        ['2026-03', '12.30'],
        ['2026-04', -3],
        ['2026-05', null],
      ],
    }),
  ).toBe('\uFEFF"时间","营收"\r\n"2026-03",12.30\r\n"2026-04",-3\r\n"2026-05",\r\n')
})

it('no text in a file is a formula', () => {
  for (const attack of ['=1+1', '+SUM(A1)', '-2+3', '@cmd', '\t=1', ' =HYPERLINK("http://x")', '＝1', '\r=1', '-1-1'])
    expect(csvOf({ head: [attack], rows: [] }), JSON.stringify(attack)).toMatch(/^\uFEFF"'/)
  expect(csvOf({ head: ['说"好"'], rows: [['a,b\nc']] })).toBe('\uFEFF"说""好"""\r\n"a,b\nc"\r\n')
})
