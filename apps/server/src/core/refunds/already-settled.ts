/** Message for a decision on a refund that another person has already decided. */
export const alreadySettled = '该退款单已处理，请刷新后重试'
