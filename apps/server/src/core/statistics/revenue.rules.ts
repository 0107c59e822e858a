type Fees = { electricity_fen: bigint; service_fen: bigint; occupancy_fen: bigint }

/** 营收 on every page: the bills of a period before refunds, from paid and gift money. */
export const revenueOf = (sums: Fees) => sums.electricity_fen + sums.service_fen + sums.occupancy_fen
export const revenueFigures = ['electricity_fen', 'service_fen', 'occupancy_fen'] as const
