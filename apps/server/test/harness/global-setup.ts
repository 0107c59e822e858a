import { dropDatabase, ensureDatabase, ensureRoles, migrate } from '../../../../tools/ops/database.ts'
import { startFileSandbox } from '../../../../tools/dev/file-sandbox.ts'
import { dropStreams } from '../../../../tools/dev/streams.ts'
import { runName, templateDatabase } from './names.ts'

/** Runs once per test run: a migrated database that every test file copies, and a storage for files. */
export default async function setup() {
  if (process.env['TEST_TEMPLATE'] === templateDatabase) return undefined // another project of this run has created it
  process.env['TEST_TEMPLATE'] = templateDatabase
  await ensureRoles()
  await dropDatabase(templateDatabase)
  await ensureDatabase(templateDatabase)
  await migrate(templateDatabase)
  const files = await startFileSandbox()
  process.env['S3_ENDPOINT'] = files.endpoint // inherited by the processes that run the tests, and read by readConfig
  return async () => {
    await files.stop()
    await dropDatabase(templateDatabase)
    await dropStreams(runName)
  }
}
