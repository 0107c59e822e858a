import { spawnSync } from 'node:child_process'
import { hash } from '@node-rs/argon2'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/harness/api.ts'
import { makePerson, makeFixture, type Fixture } from '../../../test/harness/people.ts'
import { freePort, startApiProcess } from '../../../test/harness/process.ts'
import { type Config, isExposed, readConfig } from './config.ts'
import { demoPassword } from '../auth/demo-account.ts'
import { refuseUnsafeSettings, unsafeSettings } from './exposure.ts'

const keyOf = (bytes: Buffer) => `k1:${bytes.toString('base64')}`
const goodKey = keyOf(Buffer.from(Array.from({ length: 32 }, (_, place) => place)))
const base = readConfig()
const good: Config = {
  ...base,
  host: '0.0.0.0',
  secretKeys: [goodKey],
  secondFactorLevel: 5,
  files: { ...base.files, endpoint: 'https://s3.example', accessKeyId: 'own', secretAccessKey: 'own-secret' },
  sms: { ...base.sms, endpoint: 'https://sms.example', accessKeyId: 'own', accessKeySecret: 'own-secret' },
}

describe('an exposed process', () => {
  it.each([
    ['127.0.0.1', undefined, false],
    ['localhost', 'test', false],
    ['::1', 'development', false],
    ['127.0.0.1', 'production', true],
    ['0.0.0.0', undefined, true],
    ['::', 'test', true],
    ['10.0.0.5', 'development', true],
  ])('with HOST %s and NODE_ENV %s counts as exposed: %s', (host, nodeEnv, expected) => {
    expect(isExposed({ host }, nodeEnv)).toBe(expected)
  })

  it('[attack.L10] starts with its own keys and addresses', () => {
    expect(unsafeSettings(good, 'api')).toEqual([])
    expect(unsafeSettings({ ...good, signerKeys: [goodKey] }, 'worker')).toEqual([])
    expect(() => refuseUnsafeSettings(good, 'api')).not.toThrow()
  })

  const { files, sms, pay, alipay } = good
  it.each<[string, Partial<Config>]>([
    ['SECRET_KEYS is empty', { secretKeys: [] }],
    ['SECRET_KEYS has a key that everybody can guess', { secretKeys: [keyOf(Buffer.alloc(32, 7))] }],
    ['SECRET_KEYS has a key that everybody can guess', { secretKeys: [goodKey, keyOf(Buffer.alloc(32))] }],
    ['SECRET_KEYS has a key that everybody can guess', { secretKeys: ['k1:'] }],
    ['SIGNER_KEYS is for the worker only', { signerKeys: [goodKey] }],
    ['DEVICE_CA_KEY is for the worker only', { deviceCa: { cert: '', key: 'PEM' } }],
    ['S3_ACCESS_KEY_ID is the public key of an emulator', { files: { ...files, accessKeyId: 'S3RVER' } }],
    ['S3_SECRET_ACCESS_KEY is the public key of an emulator', { files: { ...files, secretAccessKey: 'S3RVER' } }],
    ['SMS_ACCESS_KEY_ID is the public key of an emulator', { sms: { ...sms, accessKeyId: 'sandbox' } }],
    ['SMS_ACCESS_KEY_SECRET is the public key of an emulator', { sms: { ...sms, accessKeySecret: 'sandbox-secret' } }],
    ['S3_ENDPOINT is the address of an emulator', { files: { ...files, endpoint: 'http://127.0.0.1:3020' } }],
    ['SMS_ENDPOINT is the address of an emulator', { sms: { ...sms, endpoint: 'http://localhost:3010' } }],
    ['WECHAT_PAY_URL is the address of an emulator', { pay: { ...pay, wechatUrl: 'http://[::1]:3012' } }],
    ['ALIPAY_PAY_GATEWAY is the address of an emulator', { pay: { ...pay, alipayUrl: 'http://127.0.0.1:3012/x' } }],
    ['ALIPAY_GATEWAY is the address of an emulator', { alipay: { ...alipay, gateway: 'http://127.0.0.1:3011' } }],
    ['SECOND_FACTOR_FOR lets operators log in without a second factor', { secondFactorLevel: 4 }],
    ['ALIPAY_AUTHORISE_URL is the address of an emulator', { alipay: { ...alipay, authoriseUrl: 'http://127.1.1.1' } }],
  ])('[attack.L10] refuses to start when %s', (problem, change) => {
    expect(unsafeSettings({ ...good, ...change }, 'api')).toEqual([problem])
    expect(() => refuseUnsafeSettings({ ...good, ...change }, 'api')).toThrow(`because HOST is 0.0.0.0 and ${problem}`)
  })

  it('[attack.L10] refuses to start as a worker when SIGNER_KEYS is empty or guessable', () => {
    expect(unsafeSettings(good, 'worker')).toEqual(['SIGNER_KEYS is empty'])
    expect(unsafeSettings({ ...good, signerKeys: [keyOf(Buffer.alloc(32, 9))] }, 'worker')).toEqual([
      'SIGNER_KEYS has a key that everybody can guess',
    ])
  })

  it('[attack.L10] reports all problems in one line, and only when it is exposed', () => {
    const careless = { ...base, secretKeys: [] }
    expect(() => refuseUnsafeSettings(careless, 'api', 'development')).not.toThrow()
    expect(() => refuseUnsafeSettings(careless, 'api', 'production')).toThrow(
      /^refusing to start, because NODE_ENV is production and SECRET_KEYS is empty, S3_ACCESS_KEY_ID .*SMS_ENDPOINT [^\n]*$/,
    )
  })
})

describe('a process', () => {
  let api: TestApi
  let fixture: Fixture
  beforeAll(async () => {
    api = await startApi()
    fixture = await makeFixture(api)
  })
  const safe = {
    NODE_ENV: 'production',
    SECRET_KEYS: goodKey,
    S3_ENDPOINT: 'https://s3.example',
    S3_ACCESS_KEY_ID: 'own',
    S3_SECRET_ACCESS_KEY: 'own-secret',
    SMS_ENDPOINT: 'https://sms.example',
    SMS_ACCESS_KEY_ID: 'own',
    SMS_ACCESS_KEY_SECRET: 'own-secret',
  }

  it.each(['main.api.ts', 'main.worker.ts'])(
    '[attack.L10] %s does not start in production with the settings of a developer’s machine',
    (main) => {
      const env = { ...process.env, NODE_ENV: 'production', SECRET_KEYS: '' }
      const path = new URL(`../../${main}`, import.meta.url).pathname
      const { status, stderr } = spawnSync(process.execPath, [path], { env, encoding: 'utf8' })
      expect(status).toBe(1)
      expect(stderr).toContain('refusing to start, because NODE_ENV is production and SECRET_KEYS is empty')
    },
  )

  it('[attack.L10] starts in production with its own settings, and not with demo accounts', async () => {
    const admin = await makePerson(api, {
      organiseId: fixture.platform.root.organiseId,
      loginName: 'admin',
      menus: '*',
    })
    const started = await startApiProcess(api.config, safe)
    await started.stop()
    const weak = { memoryCost: 1024, timeCost: 1, parallelism: 1 }
    const setPassword = async (text: string) =>
      api.sql('update user_account set password_hash = $2 where id = $1', [admin.id, await hash(text, weak)])
    await setPassword(demoPassword)
    await expect(startApiProcess(api.config, safe)).rejects.toThrow(/demo accounts with a public password: admin;/)
  })

  it('[attack.L10] opens its port for metrics on this machine only, whatever HOST is', async () => {
    const outside = `http://127.0.0.2:${await freePort()}`
    const port = new URL(outside).port
    const started = await startApiProcess(api.config, { ...safe, HOST: '0.0.0.0', API_PORT: port }).catch(
      (error: unknown) => String(error),
    )
    expect(started).toContain('demo accounts')
    await api.sql("update user_account set status = 0 where login_name = 'admin'")
    const open = await startApiProcess(api.config, { ...safe, HOST: '0.0.0.0', API_PORT: port })
    expect((await fetch(`${outside}/openapi.json`)).status).toBe(200)
    await expect(fetch(open.admin.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed')
    await open.stop()
  })
})
