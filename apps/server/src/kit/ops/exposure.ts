import { isLoopback } from '@wattdeck/bus/bus-access.ts'
import type pg from 'pg'
import { type Config, factorLevels, isExposed } from './config.ts'
import { inScope, commit } from '../db/db.ts'
import { demoLoginNames, demoPassword } from '../auth/demo-account.ts'
import { verifyPassword } from '../auth/passwords.ts'
import { systemScope } from '../db/system-scope.ts'

type Settings = Pick<
  Config,
  'host' | 'secretKeys' | 'signerKeys' | 'deviceCa' | 'secondFactorLevel' | 'files' | 'sms' | 'pay' | 'alipay'
>
type Part = 'api' | 'worker'

function isAtHome(address: string): boolean {
  try {
    return isLoopback(new URL(address).hostname)
  } catch {
    return false
  }
}

/** True for an empty key or one repeated byte, as in tests and examples. */
function isGuessable(entry: string): boolean {
  const key = Buffer.from(entry.split(':')[1] ?? '', 'base64')
  return key.every((byte) => byte === key[0])
}

/** Keys that the worker needs and the api must not have, because the api is public. */
const misplacedKeys = ({ signerKeys, deviceCa }: Settings, part: Part): string[] =>
  part === 'worker'
    ? signerKeys.length === 0
      ? ['SIGNER_KEYS is empty']
      : []
    : [
        ...(signerKeys.length > 0 ? ['SIGNER_KEYS is for the worker only'] : []),
        ...(deviceCa.key === '' ? [] : ['DEVICE_CA_KEY is for the worker only']),
      ]

/** Problems of these settings in an exposed process, each with the name of its variable. */
export function unsafeSettings(settings: Settings, part: Part): string[] {
  const { secretKeys, signerKeys, secondFactorLevel, files, sms, pay, alipay } = settings
  const keys = {
    S3_ACCESS_KEY_ID: files.accessKeyId === 'S3RVER',
    S3_SECRET_ACCESS_KEY: files.secretAccessKey === 'S3RVER',
    SMS_ACCESS_KEY_ID: sms.accessKeyId === 'sandbox',
    SMS_ACCESS_KEY_SECRET: sms.accessKeySecret === 'sandbox-secret',
  }
  const addresses = {
    S3_ENDPOINT: files.endpoint,
    SMS_ENDPOINT: sms.endpoint,
    WECHAT_PAY_URL: pay.wechatUrl,
    ALIPAY_PAY_GATEWAY: pay.alipayUrl,
    ALIPAY_GATEWAY: alipay.gateway,
    ALIPAY_AUTHORISE_URL: alipay.authoriseUrl,
  }
  return [
    ...(secretKeys.length === 0 ? ['SECRET_KEYS is empty'] : []),
    ...(secretKeys.some(isGuessable) ? ['SECRET_KEYS has a key that everybody can guess'] : []),
    ...(signerKeys.some(isGuessable) ? ['SIGNER_KEYS has a key that everybody can guess'] : []),
    ...misplacedKeys(settings, part),
    ...Object.entries(keys).flatMap(([name, isPublic]) =>
      isPublic ? [`${name} is the public key of an emulator`] : [],
    ),
    ...Object.entries(addresses).flatMap(([name, address]) =>
      isAtHome(address) ? [`${name} is the address of an emulator`] : [],
    ),
    ...(secondFactorLevel < factorLevels.all
      ? ['SECOND_FACTOR_FOR lets operators log in without a second factor']
      : []),
  ]
}

/** Stops an exposed process at startup when it has the settings of a developer's machine. */
export function refuseUnsafeSettings(config: Settings, part: Part, nodeEnv = process.env['NODE_ENV']): void {
  const problems = isExposed(config, nodeEnv) ? unsafeSettings(config, part) : []
  if (problems.length === 0) return
  const why = nodeEnv === 'production' ? 'NODE_ENV is production' : `HOST is ${config.host}`
  throw new Error(`refusing to start, because ${why} and ${problems.join(', ')}`)
}

/** Stops the process when the database has accounts with the public password of the demo. */
export async function refuseDemoAccounts(pool: pg.Pool): Promise<void> {
  const people = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(
      await db
        .selectFrom('user_account')
        .select(['login_name', 'password_hash'])
        .where('login_name', 'in', demoLoginNames)
        .where('status', '=', 1)
        .where('deleted_at', 'is', null)
        .execute(),
    ),
  )
  const open: string[] = []
  for (const { login_name, password_hash } of people)
    if (await verifyPassword(password_hash, demoPassword)) open.push(login_name)
  if (open.length > 0)
    throw new Error(
      `refusing to start, because the database has demo accounts with a public password: ${open.join(', ')}; ` +
        'make one without demo data (npm run setup)',
    )
}
