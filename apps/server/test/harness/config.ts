import { apiUrl, workerUrl } from '../../../../tools/ops/database.ts'
import { type Config, readConfig } from '../../src/kit/ops/config.ts'

export const testConfig = (database: string, overrides: Partial<Config> = {}): Config => ({
  ...readConfig(),
  apiDatabaseUrl: apiUrl(database),
  workerDatabaseUrl: workerUrl(database),
  prefix: database,
  secretKeys: [`test:${Buffer.alloc(32, 7).toString('base64')}`],
  signerKeys: [`signer:${Buffer.alloc(32, 9).toString('base64')}`],
  logLevel: process.env['TEST_LOG'] ?? 'silent',
  publicPerMinute: 1_000_000,
  refusalWaitMs: 0,
  deviceStreamBytes: 64 * 1024 ** 2,
  ...overrides,
})
