import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'

/** WebAuthn in the browser. Its messages travel to and from the server as JSON text. */
export const canUsePasskeys = browserSupportsWebAuthn

export const makePasskey = async (options: string): Promise<string> =>
  JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) as never }))

export const provePasskey = async (options: string): Promise<string> =>
  JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) as never }))

/** The text for a failed passkey registration or login; undefined for other errors. */
export function passkeyFailureText(error: unknown): string | undefined {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return '该设备已绑定通行密钥'
  if (name === 'NotAllowedError' || name === 'AbortError') return '操作已取消或超时，请重试'
  if (name === 'SecurityError') return '当前访问地址不支持通行密钥'
  return ['NotSupportedError', 'ConstraintError', 'UnknownError'].includes(name) ? '该设备不支持通行密钥' : undefined
}
