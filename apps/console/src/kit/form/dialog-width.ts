/** Widths of dialogs and of drawers that work as dialogs: spec §9 names no others. */
export const dialogWidth = { s: 680, m: 780, l: 900, xl: 1100, xxl: 1400 } as const
export type DialogWidth = (typeof dialogWidth)[keyof typeof dialogWidth]
