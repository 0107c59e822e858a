import { z } from 'zod'
import { webhook } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'

const params = row({ provider: z.enum(['wechat', 'alipay']), merchantId: id })

/** Webhooks of payment providers for payments and refunds. They are trusted only by their signature. */
export const payNotice = {
  payment: webhook('/open/api/pay/notice/{provider}/{merchantId}', { params }),
  refund: webhook('/open/api/pay/notice/{provider}/{merchantId}/refund', { params }),
}
