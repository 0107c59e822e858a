import { z } from 'zod'
import { webhook } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'

const params = row({ provider: z.enum(['wechat', 'alipay']), merchantId: id })

/** Where payment providers tell us what was paid and what has gone back. Believed by their signature alone. */
export const payNotice = {
  payment: webhook('/open/api/pay/notice/{provider}/{merchantId}', { params }),
  refund: webhook('/open/api/pay/notice/{provider}/{merchantId}/refund', { params }),
}
