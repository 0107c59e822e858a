import { authState, type payAuth } from '@wattdeck/contract/accounting/pay-auth.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'

const { none, granted, expired } = authState.code

export const payAuthSource: Source = {
  table: 'pay_merchant',
  where: sql<boolean>`pay_merchant.deleted_at is null`,
  computed: {
    organiseName: sql`(select name from organise where organise.id = pay_merchant.organise_id)`,
    merchantNo: sql`coalesce(pay_merchant.sub_merchant_no, pay_merchant.merchant_no)`,
    state: sql`case when pay_merchant.authorised_at is null then ${sql.lit(none)}
      when pay_merchant.authorised_until < (now() at time zone 'Asia/Shanghai')::date then ${sql.lit(expired)}
      else ${sql.lit(granted)} end`,
  },
  // Every level can read merchants, because every site accepts payments through them. The list shows them to the
  // organisation only.
  place: ({ organiseId }: QueryOf<typeof payAuth.list>, { scope }) => [
    ...(scope.level > 1 ? [sql<boolean>`false`] : []),
    ...(organiseId === undefined ? [] : [sql<boolean>`pay_merchant.organise_id = ${organiseId}`]),
  ],
}

type Result = { organiseId: string; merchantNo: string } | undefined

export async function authorise(db: Db, id: string, by: string, until: string | null): Promise<Result> {
  const { rows } = await sql<NonNullable<Result>>`
    update pay_merchant set authorised_by = ${by}, authorised_at = now(), authorised_until = ${until}::date where id = ${id} and deleted_at is null
    returning organise_id as "organiseId", merchant_no as "merchantNo"`.execute(db)
  return rows[0]
}

export async function cancel(db: Db, id: string): Promise<Result> {
  const { rows } = await sql<NonNullable<Result>>`
    update pay_merchant set status = 0, authorised_by = null, authorised_at = null, authorised_until = null where id = ${id} and deleted_at is null
    returning organise_id as "organiseId", merchant_no as "merchantNo"`.execute(db)
  return rows[0]
}
