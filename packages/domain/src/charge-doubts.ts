/** The facts about a charge at the time of billing. Energy in 1/10000 kWh, power in 0.1 W. */
export type ChargeFacts = {
  energyDwh: number
  durationS: number
  /** Between the confirmed start and the arrival of the bill, by the server's clock. */
  elapsedS: number
  /** Rated power of the port. */
  ratedW: number
  /** From the meter of the charger, when the device reports it. */
  meterStartDwh?: number | undefined
  meterEndDwh?: number | undefined
  /** The highest reading reported during the charge. */
  reportedDwh?: number | undefined
  /** The amounts calculated by the device and by the platform, in fen. */
  deviceFen?: bigint | undefined
  ourFen?: bigint | undefined
}

export type Doubt = 'zeroBaseline' | 'backwards' | 'tooMuchEnergy' | 'tooLong' | 'amountDiffers'

/** Metering tolerance: 10% above the rated power, plus 0.05 kWh for short charges. */
const powerSlack = { tenths: 11n, dwh: 500n }
/** A device may count from the plug-in; the platform counts from the confirmed start. */
const lateS = 180
/** Reports round to whole watt hours. */
const meterSlackDwh = 20
/** 0.05 yuan. */
const amountSlackFen = 5n

/**
 * Detects implausible readings. A charge with a doubt is not settled before a person has reviewed it. All figures are
 * integers, so the result does not depend on rounding.
 */
export function findDoubts(facts: ChargeFacts): Doubt[] {
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
