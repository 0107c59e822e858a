import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type baseService, type BaseServiceTerms, expiryPolicy } from '@wattdeck/contract/system/base-service.ts'
import { serviceStanding, serviceText, type ServiceStanding } from '@wattdeck/domain/base-service.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { notifyOrganise, publishToPeopleOf } from '../../../kit/events/outbox.ts'
import { rowExists } from '../../../kit/db/rows.ts'

const expiresOn = sql<string>`to_char(expires_on, 'YYYY-MM-DD')`.as('expiresOn')

export const findOrganise = (db: Db, id: string) =>
  db
    .selectFrom('organise')
    .select(['id', 'name', sql<1 | 2 | 3>`basic_service_status`.as('status')])
    .where('id', '=', id)
    .executeTakeFirst()

export async function readTerms(db: Db, organiseId: string): Promise<BaseServiceTerms | null> {
  const found = await db
    .selectFrom('organise_base_service')
    .select(['unit_price_fen', 'free_devices as freeDevices', 'cycle', 'grace_days as graceDays'])
    .select(['warn_days as warnDays', 'expiry_policy as expiryPolicy', 'updated_by as updatedBy'])
    .select(['updated_at as updatedAt', expiresOn])
    .where('organise_id', '=', organiseId)
    .executeTakeFirst()
  if (found === undefined) return null
  const { unit_price_fen, ...terms } = found
  return { ...(terms as Omit<BaseServiceTerms, 'unitPrice'>), unitPrice: yuanText(BigInt(unit_price_fen)) }
}

export const agentIsIn = (db: Db, organiseId: string, agentId: string) =>
  rowExists(db, 'agent', { id: agentId, organise_id: organiseId })

type Wanted = BodyOf<typeof baseService.set> & { updatedBy: string }

export async function saveTerms(db: Db, wanted: Wanted): Promise<void> {
  const terms = {
    unit_price_fen: wanted.unitPrice,
    free_devices: wanted.freeDevices,
    cycle: wanted.cycle,
    expires_on: wanted.expiresOn,
    grace_days: wanted.graceDays,
    warn_days: wanted.warnDays,
    expiry_policy: wanted.expiryPolicy,
    updated_by: wanted.updatedBy,
  }
  await db
    .insertInto('organise_base_service')
    .values({ id: wanted.organiseId, organise_id: wanted.organiseId, ...terms })
    .onConflict((clash) => clash.column('id').doUpdateSet(terms))
    .execute()
}

type Due = { id: string; status: number; expiresOn: string; standing: ServiceStanding }

/** The organisations whose status is no longer what their terms make of it today; of these ones, or of all. */
export async function dueStatuses(db: Db, today: string, ids: readonly string[] | null): Promise<Due[]> {
  const rows = await db
    .selectFrom('organise_base_service as terms')
    .innerJoin('organise', 'organise.id', 'terms.organise_id')
    .select(['organise.id', 'basic_service_status as status', 'grace_days', 'warn_days', 'expiry_policy', expiresOn])
    .where(sql<boolean>`(${ids}::bigint[] is null or organise.id = any(${ids}::bigint[]))`)
    .execute()
  return rows
    .map(({ id, status, expiresOn: day, ...terms }) => {
      const { grace_days: graceDays, warn_days: warnDays } = terms
      const stopsAtExpiry = terms.expiry_policy === expiryPolicy.code.stop
      const standing = serviceStanding(today, { expiresOn: day, graceDays, warnDays, stopsAtExpiry })
      return { id, status, expiresOn: day, standing }
    })
    .filter(({ status, standing }) => status !== basicServiceStatus.code[standing])
}

/** Held until the end of the transaction: terms are set and statuses derived for an organisation one after the other. */
export async function lockOrganises(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .selectFrom('organise')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Derives the statuses anew and tells the people whom a change concerns; answers how many changed. */
export async function refreshStatuses(db: Db, today: string, ids: readonly string[]): Promise<number> {
  await lockOrganises(db, ids)
  const due = await dueStatuses(db, today, ids)
  if (due.length === 0) return 0
  const codes = due.map(({ standing }) => basicServiceStatus.code[standing])
  await sql`update organise set basic_service_status = due.status
    from unnest(${due.map(({ id }) => id)}::bigint[], ${codes}::smallint[]) as due (id, status)
    where organise.id = due.id and basic_service_status <> due.status`.execute(db)
  for (const { id, standing, expiresOn: day } of due) {
    await publishToPeopleOf(db, id, { kind: 'rights' })
    if (standing === 'normal') continue
    await notifyOrganise(db, id, { type: 3, title: '基础服务', body: serviceText(standing, day, today) })
  }
  return due.length
}
