import { z } from 'zod'
import { get, post } from '../kit/route.ts'
import { date, id, row, whole } from '../kit/wire.ts'

const module = '开放接口'
const deviceNo = z.string().regex(/^[0-9A-Za-z]{4,32}$/, '设备编号格式不正确')

/** Coupons of a member, for the app of the organisation. */
export const openCoupon = {
  /** The coupons that a member can still use. With a device, each says whether it applies there, and why not. */
  list: get('/open/api/coupon', {
    access: 'signed',
    query: row({ memberId: id, deviceNo: deviceNo.optional(), portNo: whole(1, 24).optional() }),
    data: z.array(
      row({
        couponId: z.string(),
        name: z.string(),
        worth: z.string(),
        validUntil: date,
        applies: z.boolean(),
        why: z.string().nullable().describe('reason as text if it does not apply'),
      }),
    ),
  }),
  /** What members may take themselves now. */
  claimable: get('/open/api/coupon/claimable', {
    access: 'signed',
    query: row({ memberId: id }),
    data: z.array(
      row({
        id: z.string(),
        name: z.string(),
        worth: z.string(),
        remark: z.string().nullable(),
        endsOn: date,
        left: z.int(),
      }),
    ),
  }),
  claim: post('/open/api/coupon/claim', {
    access: 'signed',
    audit: { module, does: '领取优惠券' },
    idempotent: true,
    body: row({ memberId: id, id }),
    data: row({ couponId: z.string() }),
  }),
}
