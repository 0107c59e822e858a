export type Charge = { orderNo: string; startedMs: number; untilMs: number; peakDw: number; energyWh: number }

/** Constant current for most of the time, then less and less, as batteries take it. */
export function powerOf({ startedMs, untilMs, peakDw }: Charge, nowMs: number): number {
  const share = Math.min(1, (nowMs - startedMs) / Math.max(1, untilMs - startedMs))
  return Math.round(share < 0.7 ? peakDw * (0.95 + 0.05 * Math.sin(share * 40)) : peakDw * (1 - (share - 0.7) / 0.35))
}
