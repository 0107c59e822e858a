import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { PayAsk, PayHandle, RefundAsk } from '../src/pay/provider.ts'

export const newNo = () => randomUUID().replaceAll('-', '')

export const payAsk = (notifyUrl: string, more: Partial<PayAsk> = {}): PayAsk => ({
  payNo: newNo(),
  fen: 1234n,
  title: '充值',
  expiresAt: new Date(Date.now() + 600_000),
  notifyUrl,
  profitSharing: false,
  by: { way: 'code' },
  ...more,
})

export const refundAsk = ({ payNo, fen: ofFen, notifyUrl }: PayAsk, fen: bigint): RefundAsk => ({
  payNo,
  refundNo: newNo(),
  fen,
  ofFen,
  reason: '用户申请',
  notifyUrl,
})

export function done<T extends { result: string }>(answer: T): Extract<T, { result: 'done' }> {
  expect(answer).toMatchObject({ result: 'done' })
  return answer as Extract<T, { result: 'done' }>
}

export function codeOf({ handle }: { handle: PayHandle }): { codeUrl: string } {
  if (!('codeUrl' in handle)) throw new Error('no code')
  return handle
}
