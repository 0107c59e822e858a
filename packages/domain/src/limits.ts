/** Limits and constants of spec §5 and §9 that more than one process must agree on. */
export const cartMaxItems = 999
export const cartMaxPerAdd = 2000
export const segmentsMax = 12
export const pageSizes = [10, 20, 30, 50, 100, 500] as const
export const pictureMaxBytes = 819_200
/** Limits of an imported sheet. */
export const sheetMaxBytes = 10_485_760
export const sheetMaxRows = 10_000

/** Each rule returns the message to show, or undefined when the value is valid. */
export const cartSizeProblem = (items: number) => (items > cartMaxItems ? '购物车最多可添加999件商品' : undefined)
export const cartAddProblem = (count: number) => (count > cartMaxPerAdd ? '单次最多可添加2000件' : undefined)
export const segmentCountProblem = (count: number) => (count > segmentsMax ? '最多可设置12个时段' : undefined)
export const selectionProblem = (selected: readonly unknown[]) =>
  selected.length === 0 ? '当前未选择任何记录' : undefined
