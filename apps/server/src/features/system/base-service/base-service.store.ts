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
  const row = await db
    .selectFrom('organise_base_service')
    .select(['unit_price_fen', 'free_devices as freeDevices', 'cycle', 'grace_days as graceDays'])
    .select(['warn_days as warnDays', 'expiry_policy as expiryPolicy', 'updated_by as updatedBy'])
    .select(['updated_at as updatedAt', expiresOn])
    .where('organise_id', '=', organiseId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { unit_price_fen, ...terms } = row
  return { ...(terms as Omit<BaseServiceTerms, 'unitPrice'>), unitPrice: yuanText(BigInt(unit_price_fen)) }
}

export const agentIsIn = (db: Db, organiseId: string, agentId: string) =>
  rowExists(db, 'agent', { id: agentId, organise_id: organiseId })

type NewTerms = BodyOf<typeof baseService.set> & { updatedBy: string }

export async function saveTerms(db: Db, values: NewTerms): Promise<void> {
  const terms = {
    unit_price_fen: values.unitPrice,
    free_devices: values.freeDevices,
    cycle: values.cycle,
    expires_on: values.expiresOn,
    grace_days: values.graceDays,
    warn_days: values.warnDays,
    expiry_policy: values.expiryPolicy,
    updated_by: values.updatedBy,
  }
  await db
    .insertInto('organise_base_service')
    .values({ id: values.organiseId, organise_id: values.organiseId, ...terms })
    .onConflict((clash) => clash.column('id').doUpdateSet(terms))
    .execute()
}

type Due = { id: string; status: number; expiresOn: string; standing: ServiceStanding }

/** Organisations whose status differs from what their terms imply today, among the given ones or all. */
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

/** Locked until the end of the transaction, so that setting terms and deriving statuses of an organisation run one after the other. */
export async function lockOrganises(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .selectFrom('organise')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Derives the statuses again, notifies the affected users, and returns the number of changes. */
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
