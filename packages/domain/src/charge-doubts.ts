/** What is known of a charge when its bill is to be made. Energy in 1/10000 kWh, power in 0.1 W. */
export type ChargeFacts = {
  energyDwh: number
  durationS: number
  /** Between the confirmed start and the arrival of the bill, by the server's clock. */
  elapsedS: number
  /** What the port can give. */
  ratedW: number
  /** Of the meter in the pile, where it tells. */
  meterStartDwh?: number | undefined
  meterEndDwh?: number | undefined
  /** The most that was reported while it went on. */
  reportedDwh?: number | undefined
  /** What the device itself reckoned, and what we do, in fen. */
  deviceFen?: bigint | undefined
  ourFen?: bigint | undefined
}

export type Doubt = 'zeroBaseline' | 'backwards' | 'tooMuchEnergy' | 'tooLong' | 'amountDiffers'

/** Meters are no clocks: a tenth more than the port is rated for, and 0.05 kWh for short charges. */
const powerSlack = { tenths: 11n, dwh: 500n }
/** A device may count from the plug, we count from its word. */
const lateS = 180
/** Reports round to whole watt hours. */
const meterSlackDwh = 20
/** 0.05 yuan. */
const amountSlackFen = 5n

/**
 * What makes a reading impossible. Whoever has one is never billed by it unseen: a person looks first. All figures are
 * integers, so that nothing here depends on how a fraction was rounded.
 */
export function doubtsOf(facts: ChargeFacts): Doubt[] {
  const { energyDwh, durationS, elapsedS, ratedW, meterStartDwh, meterEndDwh, reportedDwh, deviceFen, ourFen } = facts
  const doubts: Doubt[] = []
  if (meterStartDwh === 0 && meterEndDwh !== undefined && meterEndDwh > 0) doubts.push('zeroBaseline')
  const meterFell = meterStartDwh !== undefined && meterEndDwh !== undefined && meterEndDwh < meterStartDwh
  if (energyDwh < 0 || meterFell || (reportedDwh !== undefined && energyDwh + meterSlackDwh < reportedDwh))
    doubts.push('backwards')
  // 0.1 Wh in W × s / 360.
  const mostDwh = (BigInt(ratedW) * BigInt(Math.max(0, durationS)) * powerSlack.tenths) / 3600n + powerSlack.dwh
  if (BigInt(Math.max(0, energyDwh)) > mostDwh) doubts.push('tooMuchEnergy')
  if (durationS < 0 || durationS > elapsedS + lateS) doubts.push('tooLong')
  if (deviceFen !== undefined && ourFen !== undefined && differsBy(deviceFen, ourFen) > amountSlackFen)
    doubts.push('amountDiffers')
  return doubts
}

const differsBy = (one: bigint, other: bigint) => (one > other ? one - other : other - one)
