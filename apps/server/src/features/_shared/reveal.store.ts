import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { PersonalKind } from '@wattdeck/contract/auth/session.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

export const revealsADay = 50
const revealSeconds = 30

/** sealed: the column is encrypted, and only the vault can decrypt it. */
type Field = { column: string; title: string; sealed?: true }
type Source = { menus: readonly string[]; what: string; fields: Record<string, Field> }
const phone = { column: 'phone', title: '电话' }

/** Every personal value that can be revealed, with the menus that show it masked. */
export const sources: Record<PersonalKind, Source & { table: string }> = {
  user: {
    table: 'user_account',
    what: '账号',
    menus: [menuKey.staff, menuKey.userMaintenance],
    fields: {
      phone,
      email: { column: 'email', title: '邮箱' },
      address: { column: 'address', title: '地址' },
    },
  },
  department: { table: 'department', what: '部门', menus: [menuKey.department], fields: { phone } },
  organise: {
    table: 'organise',
    what: '机构',
    menus: [menuKey.organise],
    fields: { phone, legalPerson: { column: 'legal_person', title: '法人' } },
  },
  agent: { table: 'agent', what: '运营商', menus: [menuKey.operatorInfo], fields: { phone } },
  site: { table: 'site', what: '站点', menus: [menuKey.site], fields: { phone } },
  operationArea: { table: 'operation_area', what: '运营区域', menus: [menuKey.operationArea], fields: { phone } },
  repairTicket: { table: 'repair_ticket', what: '维修工单', menus: [menuKey.repairTicket], fields: { phone } },
  enterpriseRefund: {
    table: 'enterprise_refund',
    what: '企业退款',
    menus: [menuKey.enterpriseRefund],
    fields: { account: { column: 'account_sealed', title: '收款账号', sealed: true } },
  },
  supplier: { table: 'supplier', what: '供应商', menus: [menuKey.supplier], fields: { phone } },
  whitelist: { table: 'whitelist_entry', what: '白名单', menus: [menuKey.whitelist], fields: { phone } },
  storedCard: {
    table: 'stored_card',
    what: '储值卡',
    menus: [menuKey.storedCard],
    fields: { chipNo: { column: 'chip_no', title: '物理卡号' } },
  },
  member: { table: 'member', what: '会员', menus: [menuKey.wechatUser, menuKey.miniUser], fields: { phone } },
  memberBlock: { table: 'member_block', what: '黑名单', menus: [menuKey.blacklist], fields: { phone } },
  memberIdentity: {
    table: 'member_identity',
    what: '会员应用账号',
    menus: [menuKey.wechatUser, menuKey.miniUser],
    fields: {
      openId: { column: 'open_id', title: 'OpenID' },
      unionId: { column: 'union_id', title: 'UnionID' },
    },
  },
}

/**
 * Reads the value if row-level security shows the row to the caller. Table and column come from the list above, never
 * from the request.
 */
export async function readValue(db: Db, kind: PersonalKind, field: string, rowId: string) {
  const { table, fields } = sources[kind]
  const column = fields[field]?.column ?? ''
  const { rows } = await sql<{
    value: string | null
  }>`select ${sql.ref(column)} as value from ${sql.table(table)} where id = ${rowId}`.execute(db)
  return rows[0]
}

export const isSealed = (kind: PersonalKind, field: string): boolean => sources[kind].fields[field]?.sealed === true

/** Locks the user's row, so that two concurrent calls cannot both count as the fiftieth. */
export async function countToday(db: Db, userId: string): Promise<number> {
  await db.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute()
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from personal_reveal
    where user_id = ${userId} and created_at >= date_trunc('day', now())`.execute(db)
  return rows[0]?.count ?? 0
}

type Reveal = {
  place: { organise_id: string; agent_id: string | null; site_id: string | null }
  userId: string
  kind: PersonalKind
  rowId: string
  field: string
  reason: string
}

export async function addReveal(db: Db, { place, userId, kind, rowId, field, reason }: Reveal) {
  await db
    .insertInto('personal_reveal')
    .values({
      ...place,
      user_id: userId,
      kind,
      row_id: rowId,
      field,
      reason,
      expires_at: sql<string>`now() + make_interval(secs => ${revealSeconds})`,
    })
    .execute()
}

export async function revealSecondsLeft(
  db: Db,
  userId: string,
  { kind, rowId, field }: Omit<Reveal, 'place' | 'userId' | 'reason'>,
) {
  const { rows } = await sql<{
    left: number
  }>`select ceil(extract(epoch from expires_at - now()))::int as left from personal_reveal
    where user_id = ${userId} and created_at > now() - interval '1 hour' and kind = ${kind} and row_id = ${rowId} and field = ${field}
      and expires_at > now() order by expires_at desc limit 1`.execute(db)
  return rows[0]?.left
}
