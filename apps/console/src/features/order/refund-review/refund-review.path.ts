/** The path of the refund review, optionally opened with one refund. */
export const reviewPath = (id?: string) => (id === undefined ? '/order/refundReview' : `/order/refundReview?id=${id}`)
