import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChargeFacts, findDoubts } from '../src/charge-doubts.ts'

const fine: ChargeFacts = { energyDwh: 5000, durationS: 3600, elapsedS: 3600, ratedW: 1000 }

describe('a reading', () => {
  it('has no doubts when it is plausible', () => {
    expect(findDoubts(fine)).toEqual([])
    expect(
      findDoubts({ ...fine, meterStartDwh: 120, meterEndDwh: 5120, reportedDwh: 4990, deviceFen: 51n, ourFen: 53n }),
    ).toEqual([])
    expect(findDoubts({ ...fine, energyDwh: 0, durationS: 0, elapsedS: 0 })).toEqual([])
  })

  it.each<[string, Partial<ChargeFacts>]>([
    ['zeroBaseline', { meterStartDwh: 0, meterEndDwh: 5000 }],
    ['backwards', { meterStartDwh: 5000, meterEndDwh: 4999 }],
    ['backwards', { reportedDwh: 5021 }],
    ['tooMuchEnergy', { energyDwh: 11_501 }],
    ['tooLong', { durationS: 3781 }],
    ['amountDiffers', { deviceFen: 51n, ourFen: 57n }],
    ['amountDiffers', { deviceFen: 57n, ourFen: 51n }],
  ])('is in doubt: %s', (doubt, facts) => {
    expect(findDoubts({ ...fine, ...facts })).toEqual([doubt])
  })

  it('is accepted up to a tenth above the rated power, and not beyond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 0, max: 86_400 }), (ratedW, durationS) => {
        const mostDwh = Math.floor((ratedW * durationS * 11) / 3600) + 500
        const doubts = (energyDwh: number) => findDoubts({ energyDwh, durationS, elapsedS: durationS, ratedW })
        expect(doubts(mostDwh)).toEqual([])
        expect(doubts(mostDwh + 1)).toEqual(['tooMuchEnergy'])
      }),
    )
  })
})
