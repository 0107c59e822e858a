import { expect, it } from 'vitest'
import { replyError } from '../api/error-handling.ts'
import { objectWarning } from './object-warning.ts'

it('[error.member-details] is a warning with the message of the server', () => {
  expect(objectWarning(replyError(404, '会员不存在', 'r1'))).toEqual({ tone: 'warning', text: '会员不存在' })
})

it('falls back to the text of the status', () => {
  expect(objectWarning(replyError(502, '', 'r1')).text).toBe('网关错误。')
})
