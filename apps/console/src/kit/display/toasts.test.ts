import { expect, it, vi } from 'vitest'
import { onToast, toast, type Toast } from './toasts.ts'
import { plainTextOnly } from '../api/trusted-types.ts'

it('a toast waits for a listener and is shown once', () => {
  toast('warning', '您还未登录，请先登录！')
  const show = vi.fn<(one: Toast) => void>()
  const stop = onToast(show)
  toast('error', '网络异常')
  stop()
  expect(show.mock.calls).toEqual([
    [{ tone: 'warning', text: '您还未登录，请先登录！' }],
    [{ tone: 'error', text: '网络异常' }],
  ])
  const lazyPart = vi.fn<(one: Toast) => void>()
  onToast(lazyPart)()
  expect(lazyPart).not.toHaveBeenCalled()
})

it('admits plain text and rejects markup', () => {
  expect(plainTextOnly('.ant-btn{color:red}')).toBe('.ant-btn{color:red}')
  expect(() => plainTextOnly('<img onerror=x>')).toThrow('markup')
})
