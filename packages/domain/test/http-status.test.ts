import { describe, expect, it } from 'vitest'
import { errorTexts, statusMessages } from '../src/http-status.ts'

const saying = (status: number) => errorTexts(status, undefined).join()

describe('status messages', () => {
  it('[error.status.200] data returned', () => expect(saying(200)).toBe('服务器成功返回请求的数据。'))
  it('[error.status.201] created or modified', () => expect(saying(201)).toBe('新建或修改数据成功。'))
  it('[error.status.202] queued async task', () => expect(saying(202)).toBe('一个请求已经进入后台排队（异步任务）。'))
  it('[error.status.204] deleted', () => expect(saying(204)).toBe('删除数据成功。'))
  it('[error.status.400] bad request', () =>
    expect(saying(400)).toBe('发出的请求有错误，服务器没有进行新建或修改数据的操作。'))
  it('[error.status.401] no permission', () => expect(saying(401)).toBe('用户没有权限（令牌、用户名、密码错误）。'))
  it('[error.status.403] forbidden', () => expect(saying(403)).toBe('用户得到授权，但是访问是被禁止的。'))
  it('[error.status.404] no such record', () =>
    expect(saying(404)).toBe('发出的请求针对的是不存在的记录，服务器没有进行操作。'))
  it('[error.status.406] format unavailable', () => expect(saying(406)).toBe('请求的格式不可得。'))
  it('[error.status.410] permanently deleted', () => expect(saying(410)).toBe('请求的资源被永久删除，且不会再得到的。'))
  it('[error.status.422] validation error', () => expect(saying(422)).toBe('当创建一个对象时，发生一个验证错误。'))
  it('[error.status.500] server error', () => expect(saying(500)).toBe('服务器发生错误，请检查服务器。'))
  it('[error.status.502] gateway error', () => expect(saying(502)).toBe('网关错误。'))
  it('[error.status.503] unavailable', () => expect(saying(503)).toBe('服务不可用，服务器暂时过载或维护。'))
  it('[error.status.504] gateway timeout', () => expect(saying(504)).toBe('网关超时。'))
  it('has fifteen entries', () => expect(Object.keys(statusMessages)).toHaveLength(15))
  it('covers other statuses with a fallback text', () => expect(saying(418)).toBe('操作失败，请稍后重试'))
})

describe('a message of the server', () => {
  it.each([
    ['登录名已存在', ['登录名已存在']],
    ['姓名为空;手机号错误', ['姓名为空', '手机号错误']],
    ['姓名为空；手机号错误', ['姓名为空', '手机号错误']],
    [' 姓名为空 ; ; 手机号错误 ;', ['姓名为空', '手机号错误']],
  ])('[error.server-message] %j is shown as %j', (message, texts) => {
    expect(errorTexts(422, message)).toEqual(texts)
  })

  it.each([undefined, null, '', ' ', ';', '；；'])('[error.server-message] %j is no message', (message) => {
    expect(errorTexts(404, message)).toEqual([statusMessages[404]])
  })
})
