import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { expect, it } from 'vitest'
import { eventNote, eventTitle } from './event-text.ts'

const { bill, release, recharge } = postingKind.code

it('a charge shows the prepaid and the refunded amount', () => {
  expect(eventTitle({ kind: bill, held: '50.00' })).toBe('充电消费')
  expect(eventNote({ held: '50.00', returned: '48.97' })).toBe('预付 50.00，退回 48.97')
})

it('a charge that never started is titled as cancelled', () => {
  expect(eventTitle({ kind: release, held: '50.00' })).toBe('充电取消')
})

it('any other event has its own title and no note', () => {
  expect(eventTitle({ kind: recharge, held: null })).toBe('充值')
  expect(eventNote({ held: null, returned: null })).toBe('')
})
