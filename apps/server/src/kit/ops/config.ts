import { readFileSync } from 'node:fs'
import { isLoopback, readBusAccess } from '@wattdeck/bus/bus-access.ts'
import { proxiesOf } from '../http/address.ts'

/** Everything a process takes from its environment, read once. Development defaults fit a fresh machine. */
const env = (name: string, fallback: string) => process.env[name] ?? fallback

/** A value that is no number stops the process at its start. */
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

/** Whether others than the developer of this machine can reach the process. */
export const isExposed = ({ host }: { host: string }, nodeEnv = process.env['NODE_ENV']): boolean =>
  nodeEnv === 'production' || !isLoopback(host)

export type Config = ReturnType<typeof readConfig>

export function readConfig() {
  const database = env('DATABASE', 'wattdeck')
  const at = env('POSTGRES', '127.0.0.1:5432')
  const natsUrl = env('NATS_URL', 'nats://127.0.0.1:4222')
  return {
    host: env('HOST', '127.0.0.1'),
    /** Of the ports for health, readiness and metrics, which are not for the public. */
    adminHost: env('ADMIN_HOST', '127.0.0.1'),
    apiPort: number('API_PORT', 3000),
    apiAdminPort: number('API_ADMIN_PORT', 3001),
    workerAdminPort: number('WORKER_ADMIN_PORT', 3003),
    apiDatabaseUrl: env('API_DATABASE_URL', `postgres://wattdeck_api@${at}/${database}`),
    workerDatabaseUrl: env('WORKER_DATABASE_URL', `postgres://wattdeck_worker@${at}/${database}`),
    poolSize: number('POOL_SIZE', 10),
    /** Connections of a worker for what takes long: proofs, exports, partitions, housekeeping, and the queue of jobs. */
    jobPoolSize: number('JOB_POOL_SIZE', 6),
    /** Requests worked on at once; beyond it the api answers 503 at once instead of making everybody wait. */
    maxInFlight: number('MAX_IN_FLIGHT', 200),
    /** Calls a minute from one address to routes that nobody is logged in for. */
    publicPerMinute: number('PUBLIC_PER_MINUTE', 120),
    /** How long an address that calls more often waits for its refusal. */
    refusalWaitMs: number('REFUSAL_WAIT_MS', 1000),
    redisUrl: env('REDIS_URL', 'redis://127.0.0.1:6379'),
    natsUrl,
    natsAccess: readBusAccess(natsUrl),
    /** Keeps two installations on one Redis or NATS apart. */
    prefix: env('PREFIX', database),
    /** How much of what devices said may wait for a worker. */
    deviceStreamBytes: number('DEVICE_STREAM_BYTES', 2 * 1024 ** 3),
    /** 'id:base64 of 32 bytes', newest first; the older ones still open what they sealed. */
    secretKeys: list('SECRET_KEYS', ''),
    /** As SECRET_KEYS, of the worker only: it seals what the api must not open. Empty: SECRET_KEYS does. */
    signerKeys: list('SIGNER_KEYS', ''),
    /** Of the worker: keys that signed published heads and whose secret is no longer in SECRET_KEYS; `npm run reseal` prints them. */
    headKeys: list('HEAD_KEYS', ''),
    /** Sessions that one person may have open at once; a further one ends the oldest. */
    sessionsPerPerson: number('SESSIONS_PER_PERSON', 5),
    /** People down to which role level need a second factor, if they may change anything; platform administrators always. */
    secondFactorLevel: factorLevel(
      env('SECOND_FACTOR_FOR', isExposed({ host: env('HOST', '127.0.0.1') }) ? 'all' : 'platform'),
    ),
    /** Commands to more devices than this wait for a second person. */
    commandsWithoutApproval: number('COMMANDS_WITHOUT_APPROVAL', 200),
    codes: {
      /** What printed codes begin with, newest first; the older ones stand on stickers that are still read. */
      urls: list('CODE_URL', 'http://127.0.0.1:5173'),
      /** As SECRET_KEYS, from which they are derived when this is empty. Giving one up gives up the codes it signed. */
      keys: list('CODE_KEYS', ''),
    },
    /** The authority that signs devices' certificates, as PEM files. Empty: this installation issues none. */
    deviceCa: { cert: file('DEVICE_CA_CERT'), key: file('DEVICE_CA_KEY') },
    /** A font with Chinese letters for what is written as PDF: Debian's fonts-noto-cjk. */
    pdfFont: env('PDF_FONT', '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'),
    /** Whose word about a caller's address is believed; see kit/http/address.ts. */
    trustProxy: proxiesOf(env('TRUST_PROXY', '')),
    logLevel: env('LOG_LEVEL', 'info'),
    /** When set, the api also serves the built console, so that one process is a whole installation. */
    consoleDir: env('CONSOLE_DIR', ''),
    /** Where the console may report its errors to, besides its own origin. */
    sentryOrigin: env('SENTRY_ORIGIN', ''),
    /** Where browsers report what the content security policy has stopped. */
    policyReportUrl: env('POLICY_REPORT_URL', ''),
    /** Where people reach the console; Alipay sends them back to it. */
    consoleUrl: env('CONSOLE_URL', 'http://127.0.0.1:5173'),
    alipay: {
      gateway: env('ALIPAY_GATEWAY', 'https://openapi.alipay.com/gateway.do'),
      authoriseUrl: env('ALIPAY_AUTHORISE_URL', 'https://openauth.alipay.com/oauth2/publicAppAuthorize.htm'),
      /** Empty: nobody can be invited to authorise. */
      appId: env('ALIPAY_APP_ID', ''),
      /** Base64 of the application's own key (PKCS8) and of Alipay's public key, each in one line. */
      privateKey: env('ALIPAY_PRIVATE_KEY', ''),
      publicKey: env('ALIPAY_PUBLIC_KEY', ''),
      timeoutMs: 8000,
    },
    pay: {
      wechatUrl: env('WECHAT_PAY_URL', 'https://api.mch.weixin.qq.com'),
      alipayUrl: env('ALIPAY_PAY_GATEWAY', 'https://openapi.alipay.com/gateway.do'),
      /** Where providers reach the api with their notices. */
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
    /** Where heads of the audit log and the ledger are published: better a bucket of its own that is written once. */
    headsBucket: env('S3_HEADS_BUCKET', env('S3_BUCKET', 'wattdeck')),
  }
}
