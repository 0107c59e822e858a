import { describe, expect, it } from 'vitest'
import { creditProblem } from '../src/manual-credit.ts'

const none = { byPersonFen: 0n, inOrganiseFen: 0n }

describe('a manual credit', () => {
  it('is accepted up to the last fen of the limits', () => {
    expect(creditProblem(500_000n, none)).toBeUndefined()
    expect(creditProblem(500_000n, { byPersonFen: 1_500_000n, inOrganiseFen: 9_500_000n })).toBeUndefined()
  })

  it('is refused above a limit, with the limit and the remaining amount', () => {
    expect(creditProblem(500_001n, none)).toBe('单笔增加不能超过5000.00元')
    expect(creditProblem(2n, { byPersonFen: 1_999_999n, inOrganiseFen: 0n })).toContain('剩余0.01元')
    expect(creditProblem(1n, { byPersonFen: 0n, inOrganiseFen: 10_000_001n })).toContain('剩余0.00元')
  })
})
