import { expect, it } from 'vitest'
import { refusalOf } from './refusal.ts'

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code })

it.each([
  withCode('ECONNRESET'),
  withCode('EPIPE'),
  withCode('ETIMEDOUT'),
  withCode('57P02'),
  withCode('08006'),
  withCode('08P01'),
  withCode('25006'),
  new Error('Query read timeout'),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
])('maps a lost database connection to status 503: $code $message', (error) => {
  expect(refusalOf(error)).toMatchObject({ status: 503, retryAfterSeconds: 1 })
})

it('does not map an invalid statement to a refusal', () => {
  expect(refusalOf(withCode('42703'))).toBeUndefined()
})
