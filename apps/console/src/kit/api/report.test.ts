import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { answer, stubBrowser } from './browser.fixture.ts'

const sentry = vi.hoisted(() => ({ init: vi.fn<() => void>(), captureException: vi.fn<() => void>() }))
vi.mock('@sentry/react', () => sentry)
vi.stubEnv('VITE_SENTRY_DSN', 'https://key@errors.example/1')

const { call } = await import('./api.ts')
const { report } = await import('./report.ts')
const browser = stubBrowser()
const failing = async (status: number) => {
  browser.fetch.mockResolvedValue(answer(null, { status, message: '出错了' }))
  await call(basicInfo.edit, { body: { name: '张伟' } }).catch(() => undefined)
}

beforeEach(() => sentry.captureException.mockClear())
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

it.each([400, 403, 404, 422, 500, 503])(
  '[error.reporting] status %i is sent to the reporting service',
  async (status) => {
    await failing(status)
    await vi.waitFor(() => expect(sentry.captureException).toHaveBeenCalledOnce())
    expect(sentry.captureException).toHaveBeenCalledWith(expect.objectContaining({ status }), undefined)
  },
)

it('[error.reporting] status 401 is not sent', async () => {
  await failing(401)
  await failing(500)
  await vi.waitFor(() => expect(sentry.captureException).toHaveBeenCalled())
  expect(sentry.captureException).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 500 }), undefined)
})

it('a render error is sent with the report id that the user sees', async () => {
  report(new Error('cannot draw'), 'r-7')
  await vi.waitFor(() => expect(sentry.captureException).toHaveBeenCalledOnce())
  expect(sentry.captureException).toHaveBeenCalledWith(expect.any(Error), { tags: { reportId: 'r-7' } })
})

it('ignores a failure of the reporting service', async () => {
  sentry.captureException.mockImplementationOnce(() => {
    throw new Error('down')
  })
  report(new Error('cannot draw'))
  await vi.waitFor(() => expect(sentry.captureException).toHaveBeenCalledOnce())
})
