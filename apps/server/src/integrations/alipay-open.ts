import { createPrivateKey, createPublicKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AlipaySdk } from 'alipay-sdk'
import { z } from 'zod'

export type AlipaySetting = {
  gateway: string
  appId: string
  privateKey: string
  publicKey: string
  timeoutMs: number
}
export type Exchange =
  | { result: 'done'; userId: string; nickName: string | undefined }
  /** The provider has said no, signed. */
  | { result: 'refused'; code: string }
  /** No answer, or none that can be trusted: what happened there is not known. */
  | { result: 'unknown' }

const Token = z.object({ accessToken: z.string().min(1), userId: z.string().optional(), openId: z.string().optional() })
const Nick = z.object({ nickName: z.string().optional() })
const Refused = z.object({ code: z.string(), subCode: z.string().regex(/^[\w.-]{1,60}$/) })
const RawRefusal = z.object({ error_response: z.object({}).loose(), sign: z.string() })

/**
 * Alipay's open gateway. Every answer is verified. Errors of the SDK are swallowed here on purpose: their messages quote
 * the whole answer, tokens included, and would carry them into logs and into the table of jobs.
 */
export class AlipayOpen {
  readonly #loadSdk: () => Promise<AlipaySdk>
  readonly #timeoutMs: number

  constructor({ gateway, appId, privateKey, publicKey, timeoutMs }: AlipaySetting) {
    // The SDK verifies nothing, with a warning, where the key is missing; and finds a broken one at the first call.
    createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
    const keys = { privateKey, alipayPublicKey: publicKey, keyType: 'PKCS8' as const }
    let sdk: Promise<AlipaySdk> | undefined
    // It brings an HTTP client of its own, which only a process that asks Alipay loads.
    this.#loadSdk = () =>
      (sdk ??= import('alipay-sdk').then(
        (library) => new library.AlipaySdk({ appId, gateway, timeout: timeoutMs, ...keys }),
      ))
    this.#timeoutMs = timeoutMs
  }

  /** Whose consent the code stands for. A code is good once at the provider. */
  async exchange(code: string): Promise<Exchange> {
    const answer = await this.#request('alipay.system.oauth.token', { grantType: 'authorization_code', code })
    const refused = Refused.safeParse(answer)
    // 20000 is a failure over there that may pass.
    if (refused.success && refused.data.code !== '20000') return { result: 'refused', code: refused.data.subCode }
    const token = Token.safeParse(answer)
    const userId = token.data?.userId ?? token.data?.openId
    if (token.data === undefined || userId === undefined) return { result: 'unknown' }
    return { result: 'done', userId, nickName: await this.#nickName(token.data.accessToken) }
  }

  /** Only for showing: an authorisation does not depend on it. */
  async #nickName(authToken: string): Promise<string | undefined> {
    return Nick.safeParse(await this.#request('alipay.user.info.share', { authToken })).data?.nickName
  }

  /** The verified answer, also where it says no; undefined where there is none. */
  async #request(method: string, params: Record<string, string>): Promise<unknown> {
    const sdk = await this.#loadSdk()
    const late = sleep(this.#timeoutMs, undefined, { ref: false })
    const asked = sdk
      .exec(method, params, { validateSign: true })
      .catch((error: unknown) => verifiedRefusal(sdk, error))
    return Promise.race([asked, late])
  }
}

/** The SDK looks for the signed part under the method's name, and so takes every signed error for a forged one. */
function verifiedRefusal(sdk: AlipaySdk, error: unknown): unknown {
  const raw = error instanceof Error && 'responseDataRaw' in error ? error.responseDataRaw : undefined
  if (typeof raw !== 'string') return undefined
  try {
    const { error_response: refusal, sign } = RawRefusal.parse(JSON.parse(raw))
    sdk.checkResponseSign(raw, 'error_response', sign, '')
    return { code: refusal['code'], subCode: refusal['sub_code'] }
  } catch {
    return undefined
  }
}
