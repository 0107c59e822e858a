type Fees = { electricity_fen: bigint; service_fen: bigint; occupancy_fen: bigint }

/** 营收 of every page: the bills of a period before refunds, paid by recharged and by given money. */
export const revenueOf = (sums: Fees) => sums.electricity_fen + sums.service_fen + sums.occupancy_fen
export const revenueFigures = ['electricity_fen', 'service_fen', 'occupancy_fen'] as const
