import { hash } from '@node-rs/argon2'
import { newPassword } from '../../apps/server/src/kit/auth/tokens.ts'
import { ensureReferenceData } from '../../apps/server/src/seed/reference-data.ts'
import { addAuditRole } from './audit-role.ts'
import { asSuperuser } from './database.ts'

/**
 * `npm run first-admin -- LOGIN_NAME PHONE`: creates the first account, which no administrator can create. A repeated
 * run resets the first password of an account that has not chosen its own.
 */
const [loginName = '', phone = ''] = process.argv.slice(2)
if (!/^[a-zA-Z]\w{3,29}$/.test(loginName) || !/^1[3-9]\d{9}$/.test(phone)) {
  console.error('usage: npm run first-admin -- LOGIN_NAME PHONE')
  process.exit(1)
}
const password = newPassword()
const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

await asSuperuser(process.env['DATABASE'] ?? 'wattdeck', async (client) => {
  await client.query('set role wattdeck_owner')
  await ensureReferenceData(client)
  const { rows } = await client.query<{ id: string }>(
    `insert into role (organise_id, name, code, top_level, user_type, can_unmask, created_by) values (1, '超级管理员', 'ADMIN', 0, 1, true, 'setup')
     on conflict (organise_id, agent_id, site_id, name) do update set name = excluded.name returning id`,
  )
  await addAuditRole(client)
  const result = await client.query(
    `with person as (
       insert into user_account (organise_id, user_type, employee_no, name, login_name, phone, password_hash, must_change_password, created_by)
       values (1, 1, $1, '超级管理员', $1, $2, $3, true, 'setup')
       on conflict (login_name) where deleted_at is null do update
       set password_hash = excluded.password_hash, first_password_ends_at = excluded.first_password_ends_at
       where user_account.created_by = 'setup' and user_account.must_change_password
       returning id),
     granted as (insert into user_role (user_id, role_id, organise_id) select id, $4, 1 from person on conflict do nothing)
     select id from person`,
    [loginName, phone, passwordHash, rows[0]?.id],
  )
  if (result.rowCount === 0) throw new Error(`account ${loginName} already has its own password`)
})
console.log(
  `${loginName} can log in with the password ${password}, once: it must be changed, and a second factor bound.`,
)
