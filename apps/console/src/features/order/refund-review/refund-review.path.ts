/** Where refunds are decided on one after the other, beginning with one of them. */
export const reviewPath = (id?: string) => (id === undefined ? '/order/refundReview' : `/order/refundReview?id=${id}`)
