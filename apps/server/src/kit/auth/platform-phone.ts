import { applyScope, type Db } from '../db/db.ts'
import type { Scope } from '../db/scope.ts'
import { systemScope } from '../db/system-scope.ts'

/** Service phone of the platform, for organisations. The platform's own row is outside of an organisation's scope. */
export async function platformPhone(db: Db, scope: Scope): Promise<string | null> {
  await applyScope(db, systemScope)
  const platform = await db.selectFrom('organise').select('service_phone').where('id', '=', '1').executeTakeFirst()
  await applyScope(db, scope)
  return platform?.service_phone ?? null
}
