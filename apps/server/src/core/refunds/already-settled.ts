/** To whoever decides on what somebody else has decided meanwhile. */
export const alreadySettled = '该退款单已处理，请刷新后重试'
