import { dropDatabase, ensureDatabase, ensureRoles, migrate } from '../../../tools/database.ts'
import { templateDatabase } from './names.ts'

/** Once a run: a migrated database that every test file copies. */
export default async function setup() {
  await ensureRoles()
  await dropDatabase(templateDatabase)
  await ensureDatabase(templateDatabase)
  await migrate(templateDatabase)
  return () => dropDatabase(templateDatabase)
}
