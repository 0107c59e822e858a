import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import type { KeySecret } from '../../../core/payments/merchants.ts'

type Sent = Omit<BodyOf<typeof paySetting.addKey>, 'id'>
type KeySet = { serial: string; secret: KeySecret; providerKeyId: string; providerKey: string }

/** Accepts PEM, or the bare base64 that Alipay's tools export. */
const asPem = (text: string, label: string) =>
  text.includes('-----BEGIN')
    ? text
    : `-----BEGIN ${label}-----\n${text
        .replaceAll(/\s/g, '')
        .match(/.{1,64}/g)
        ?.join('\n')}\n-----END ${label}-----\n`

function read(make: () => KeyObject): KeyObject | undefined {
  try {
    const key = make()
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return key.asymmetricKeyType === 'rsa' && bits >= 2048 ? key : undefined
  } catch {
    return undefined
  }
}

function privateKeyOf(text: string): KeyObject {
  const found =
    read(() => createPrivateKey(asPem(text, 'PRIVATE KEY'))) ??
    read(() => createPrivateKey(asPem(text, 'RSA PRIVATE KEY')))
  // The error does not quote the input, so that no message or log contains key material.
  if (found === undefined) throw invalid('商户私钥不正确，须为2048位以上的RSA私钥', 'privateKey')
  return found
}

function publicKeyOf(text: string): KeyObject {
  // Node derives the public half from a private key, so an uploaded private key must be rejected explicitly.
  const found = text.includes('PRIVATE KEY') ? undefined : read(() => createPublicKey(asPem(text, 'PUBLIC KEY')))
  if (found === undefined) throw invalid('渠道公钥不正确，须为2048位以上的RSA公钥或证书', 'providerKey')
  return found
}

const fingerprint = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 40)

/** Parses and normalises an uploaded key set. Invalid keys are rejected at upload, not at the first payment. */
export function keySetOf(provider: number, sent: Sent): KeySet {
  const own = privateKeyOf(sent.privateKey)
  const theirs = publicKeyOf(sent.providerKey)
  if (createPublicKey(own).equals(theirs)) throw invalid('渠道公钥不能是商户自己的公钥', 'providerKey')
  const privateKey = own.export({ type: 'pkcs8', format: 'pem' }).toString()
  const providerKey = theirs.export({ type: 'spki', format: 'pem' }).toString()
  if (provider === payProvider.code.alipay)
    return {
      serial: fingerprint(createPublicKey(own)),
      secret: { privateKey },
      providerKeyId: fingerprint(theirs),
      providerKey,
    }
  const { serial, apiV3Key, providerKeyId } = sent
  if (serial === undefined) throw invalid('请输入证书序列号', 'serial')
  if (providerKeyId === undefined) throw invalid('请输入渠道公钥ID', 'providerKeyId')
  if (apiV3Key === undefined || Buffer.byteLength(apiV3Key) !== 32) throw invalid('APIv3密钥须为32个字符', 'apiV3Key')
  return { serial, secret: { privateKey, apiV3Key }, providerKeyId, providerKey }
}

/** Converts percent to parts of 100000: 0.6 becomes 600. */
export const feeE5Of = (rate: number) => Math.round(rate * 1000)
export const rateText = (feeE5: number) => (feeE5 / 1000).toFixed(3).replace(/0$/, '')
