import { authState, type MerchantAuth, type payAuth } from '@wattdeck/contract/accounting/pay-auth.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

const { none, granted, expired } = authState.code
const state = sql<number>`case when pay_merchant.authorised_at is null then ${sql.lit(none)}
  when pay_merchant.authorised_until < (now() at time zone 'Asia/Shanghai')::date then ${sql.lit(expired)} else ${sql.lit(granted)} end`

export async function listAuths(db: Db, scope: Scope, filter: QueryOf<typeof payAuth.list>) {
  let query = db.selectFrom('pay_merchant').where('pay_merchant.deleted_at', 'is', null)
  // Payments go through them at every site, so every level reads them; they are shown to the organisation only.
  if (scope.level > 1) query = query.where(sql<boolean>`false`)
  if (filter.organiseId !== undefined) query = query.where('pay_merchant.organise_id', '=', filter.organiseId)
  if (filter.provider !== undefined) query = query.where('pay_merchant.provider', '=', filter.provider)
  if (filter.state !== undefined) query = query.where(state, '=', filter.state)
  const found = await pageOf(db, query, filter, {
    key: byId('pay_merchant.id'),
    columns: (rows) =>
      rows.select([
        'pay_merchant.id',
        sql<string>`(select name from organise where organise.id = pay_merchant.organise_id)`.as('organiseName'),
        'pay_merchant.provider',
        'pay_merchant.mode',
        'pay_merchant.name',
        sql<string>`coalesce(pay_merchant.sub_merchant_no, pay_merchant.merchant_no)`.as('merchantNo'),
        state.as('state'),
        'pay_merchant.status',
        'pay_merchant.authorised_by as authorisedBy',
        'pay_merchant.authorised_at as authorisedAt',
        sql<string | null>`pay_merchant.authorised_until::text`.as('authorisedUntil'),
      ]),
  })
  return { ...found, rows: found.rows as unknown as MerchantAuth[] }
}

type Told = { organiseId: string; merchantNo: string } | undefined

export async function authorise(db: Db, _scope: Scope, id: string, by: string, until: string | null): Promise<Told> {
  const { rows } = await sql<NonNullable<Told>>`
    update pay_merchant set authorised_by = ${by}, authorised_at = now(), authorised_until = ${until}::date where id = ${id} and deleted_at is null
    returning organise_id as "organiseId", merchant_no as "merchantNo"`.execute(db)
  return rows[0]
}

export async function cancel(db: Db, _scope: Scope, id: string): Promise<Told> {
  const { rows } = await sql<NonNullable<Told>>`
    update pay_merchant set status = 0, authorised_by = null, authorised_at = null, authorised_until = null where id = ${id} and deleted_at is null
    returning organise_id as "organiseId", merchant_no as "merchantNo"`.execute(db)
  return rows[0]
}
