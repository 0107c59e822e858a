import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { type Insertable, sql } from 'kysely'
import type { DB } from '../../../kit/db/db.gen.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition, Source } from '../../../kit/db/list-query.ts'
import { insertUnlessDuplicate, lockRow, removeRow, rowExists, updateRow } from '../../../kit/db/rows.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { organiseStaffRows } from '../_shared/organise-staff.ts'

export const appSource: Source = {
  table: 'member_app',
  computed: {
    // The same choice as `findReceivingMerchant`. Both channels pay by WeChat.
    merchantNo: sql`(select coalesce(pay_merchant.sub_merchant_no, pay_merchant.merchant_no) from pay_merchant
      where pay_merchant.organise_id = member_app.organise_id and pay_merchant.provider = ${sql.lit(payProvider.code.wechat)}
        and pay_merchant.status = 1 and pay_merchant.deleted_at is null
        and (pay_merchant.authorised_until is null or pay_merchant.authorised_until >= (now() at time zone 'Asia/Shanghai')::date)
      order by pay_merchant.is_default desc, pay_merchant.id limit 1)`,
    hasMembers: sql`exists (select from member_identity where member_identity.app_id = member_app.id)`,
  },
  own: (_query, { scope }: { scope: Scope }): Condition[] => organiseStaffRows('member_app', scope),
}

/** Undefined when the organisation has already registered the AppID. */
export const addApp = (db: Db, app: Insertable<DB['member_app']>) =>
  insertUnlessDuplicate(db, 'member_app', app, ['organise_id', 'app_id'])

/** Locked, so that no member registers through the app before it is removed. */
export const lockApp = (db: Db, id: string) => lockRow(db, 'member_app', id, ['id', 'organise_id', 'name', 'app_id'])

type Look = { name: string; theme_color: string | null; hotline: string | null; domain: string | null }
export const editApp = (db: Db, id: string, look: Look) => updateRow(db, 'member_app', id, look)

export const hasMembers = (db: Db, id: string) => rowExists(db, 'member_identity', { app_id: id })

export const removeApp = (db: Db, id: string) => removeRow(db, 'member_app', id)
