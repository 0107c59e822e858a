import { readFileSync } from 'node:fs'
import { isLoopback, readBusAccess } from '@wattdeck/bus/bus-access.ts'
import { proxiesOf } from '../http/address.ts'

/** All settings of a process are read from its environment once. The defaults suit a fresh development machine. */
const env = (name: string, fallback: string) => process.env[name] ?? fallback

/** A value that is not a number stops the process at startup. */
function number(name: string, fallback: number): number {
  const text = env(name, String(fallback))
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not '${text}'`)
  return Number(text)
}

const list = (name: string, fallback: string) =>
  env(name, fallback)
    .split(',')
    .filter((entry) => entry !== '')

const file = (name: string) => {
  const path = env(name, '')
  return path === '' ? '' : readFileSync(path, 'utf8')
}

/** Role levels below which no second factor is required. */
export const factorLevels = { platform: 1, organise: 2, agent: 3, site: 4, all: 5 } as const

function factorLevel(text: string): number {
  if (!Object.hasOwn(factorLevels, text))
    throw new Error(`SECOND_FACTOR_FOR must be one of ${Object.keys(factorLevels).join(', ')}, not '${text}'`)
  return factorLevels[text as keyof typeof factorLevels]
}

/** Whether the process can be reached from other machines. */
export const isExposed = ({ host }: { host: string }, nodeEnv = process.env['NODE_ENV']): boolean =>
  nodeEnv === 'production' || !isLoopback(host)

export type Config = ReturnType<typeof readConfig>

export function readConfig() {
  const database = env('DATABASE', 'wattdeck')
  const at = env('POSTGRES', '127.0.0.1:5432')
  const natsUrl = env('NATS_URL', 'nats://127.0.0.1:4222')
  return {
    host: env('HOST', '127.0.0.1'),
    /** Host of the ports for health, readiness and metrics, which are not public. */
    adminHost: env('ADMIN_HOST', '127.0.0.1'),
    apiPort: number('API_PORT', 3000),
    apiAdminPort: number('API_ADMIN_PORT', 3001),
    workerAdminPort: number('WORKER_ADMIN_PORT', 3003),
    apiDatabaseUrl: env('API_DATABASE_URL', `postgres://wattdeck_api@${at}/${database}`),
    workerDatabaseUrl: env('WORKER_DATABASE_URL', `postgres://wattdeck_worker@${at}/${database}`),
    poolSize: number('POOL_SIZE', 10),
    /** Connections of a worker for long work: proofs, exports, partitions, housekeeping and the job queue. */
    jobPoolSize: number('JOB_POOL_SIZE', 6),
    /** Limit of concurrent requests. Beyond it the api responds 503 at once, so that latency stays bounded. */
    maxInFlight: number('MAX_IN_FLIGHT', 200),
    /** Calls a minute from one address to routes without login. */
    publicPerMinute: number('PUBLIC_PER_MINUTE', 120),
    /** Delay of the refusal to an address above that limit. */
    refusalWaitMs: number('REFUSAL_WAIT_MS', 1000),
    redisUrl: env('REDIS_URL', 'redis://127.0.0.1:6379'),
    natsUrl,
    natsAccess: readBusAccess(natsUrl),
    /** Separates two installations on one Redis or NATS. */
    prefix: env('PREFIX', database),
    /** Size limit of device messages that wait for a worker. */
    deviceStreamBytes: number('DEVICE_STREAM_BYTES', 2 * 1024 ** 3),
    /** 'id:base64 of 32 bytes', newest first. Older keys still decrypt what they encrypted. */
    secretKeys: list('SECRET_KEYS', ''),
    /** As SECRET_KEYS, for the worker only: encrypts the secrets that the api must not decrypt. Empty: SECRET_KEYS is used. */
    signerKeys: list('SIGNER_KEYS', ''),
    /** For the worker: keys of published heads whose secret is no longer in SECRET_KEYS. `npm run reseal` prints them. */
    headKeys: list('HEAD_KEYS', ''),
    /** Limit of concurrent sessions of a person. A further session revokes the oldest. */
    sessionsPerPerson: number('SESSIONS_PER_PERSON', 5),
    /** People down to this role level need a second factor if they may change anything. Platform administrators always do. */
    secondFactorLevel: factorLevel(
      env('SECOND_FACTOR_FOR', isExposed({ host: env('HOST', '127.0.0.1') }) ? 'all' : 'platform'),
    ),
    /** Commands to more devices than this need the approval of a second person (maker-checker). */
    commandsWithoutApproval: number('COMMANDS_WITHOUT_APPROVAL', 200),
    codes: {
      /** Base URLs of printed codes, newest first. The older ones are still on stickers in use. */
      urls: list('CODE_URL', 'http://127.0.0.1:5173'),
      /** As SECRET_KEYS, from which they are derived when empty. Removing a key invalidates the codes that it signed. */
      keys: list('CODE_KEYS', ''),
    },
    /** The certificate authority of devices, as PEM files. Empty: this installation issues no certificates. */
    deviceCa: { cert: file('DEVICE_CA_CERT'), key: file('DEVICE_CA_KEY') },
    /** A font with Chinese characters for PDF files: Debian's fonts-noto-cjk. */
    pdfFont: env('PDF_FONT', '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'),
    /** Proxies whose headers about the caller's address are trusted; see kit/http/address.ts. */
    trustProxy: proxiesOf(env('TRUST_PROXY', '')),
    logLevel: env('LOG_LEVEL', 'info'),
    /** When set, the api also serves the built console, so that one process is a whole installation. */
    consoleDir: env('CONSOLE_DIR', ''),
    /** Origin to which the console may report errors, besides its own. */
    sentryOrigin: env('SENTRY_ORIGIN', ''),
    /** URL to which browsers report violations of the content security policy. */
    policyReportUrl: env('POLICY_REPORT_URL', ''),
    /** Public URL of the console; Alipay redirects to it. */
    consoleUrl: env('CONSOLE_URL', 'http://127.0.0.1:5173'),
    alipay: {
      gateway: env('ALIPAY_GATEWAY', 'https://openapi.alipay.com/gateway.do'),
      authoriseUrl: env('ALIPAY_AUTHORISE_URL', 'https://openauth.alipay.com/oauth2/publicAppAuthorize.htm'),
      /** Empty: invitations to authorise are not available. */
      appId: env('ALIPAY_APP_ID', ''),
      /** Base64 of the application's own key (PKCS8) and of Alipay's public key, each in one line. */
      privateKey: env('ALIPAY_PRIVATE_KEY', ''),
      publicKey: env('ALIPAY_PUBLIC_KEY', ''),
      timeoutMs: 8000,
    },
    pay: {
      wechatUrl: env('WECHAT_PAY_URL', 'https://api.mch.weixin.qq.com'),
      alipayUrl: env('ALIPAY_PAY_GATEWAY', 'https://openapi.alipay.com/gateway.do'),
      /** Public URL of the api for the notices of payment providers. */
      notifyUrl: env('PAY_NOTIFY_URL', 'http://127.0.0.1:3000'),
      timeoutMs: 8000,
    },
    sms: {
      endpoint: env('SMS_ENDPOINT', 'http://127.0.0.1:3010'),
      accessKeyId: env('SMS_ACCESS_KEY_ID', 'sandbox'),
      accessKeySecret: env('SMS_ACCESS_KEY_SECRET', 'sandbox-secret'),
      signName: env('SMS_SIGN_NAME', '物联网控制中心'),
    },
    /** A bucket behind the S3 API, addressed by path; the defaults are those of the file sandbox. */
    files: {
      endpoint: env('S3_ENDPOINT', 'http://127.0.0.1:3020'),
      region: env('S3_REGION', 'us-east-1'),
      bucket: env('S3_BUCKET', 'wattdeck'),
      accessKeyId: env('S3_ACCESS_KEY_ID', 'S3RVER'),
      secretAccessKey: env('S3_SECRET_ACCESS_KEY', 'S3RVER'),
    },
    /** Bucket for the published heads of the audit log and the ledger. A separate write-once bucket is recommended. */
    headsBucket: env('S3_HEADS_BUCKET', env('S3_BUCKET', 'wattdeck')),
  }
}
