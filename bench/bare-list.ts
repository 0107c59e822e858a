import Fastify from 'fastify'
import pg from 'pg'

/** No session, no scope, no transaction, no schema, no mask: what the driver and the framework alone can do. */
const pool = new pg.Pool({
  connectionString: process.env['BARE_DATABASE_URL'],
  max: 10,
  options: '-c timezone=Asia/Shanghai',
})
const rows = {
  name: 'rows',
  text: `select user_account.id, employee_no as "employeeNo", user_account.name, login_name as "loginName", user_account.phone, email, user_account.organise_id as "organiseId",
    organise.name as "organiseName", department_id as "departmentId", department.name as "departmentName", user_type as "userType", user_account.status, last_login_at as "lastLoginAt",
    user_account.created_by as "createdBy", user_account.created_at as "createdAt", user_account.updated_at as "updatedAt", coalesce(locked_until > now(), false) as locked,
    coalesce((select jsonb_agg(jsonb_build_object('id', role.id::text, 'name', role.name) order by role.id) from user_role join role on role.id = user_role.role_id where user_role.user_id = user_account.id), '[]') as roles
    from user_account left join organise on organise.id = user_account.organise_id left join department on department.id = user_account.department_id
    where user_account.deleted_at is null and user_account.organise_id = $1 order by user_account.organise_id, user_account.id desc limit $2 offset $3`,
}
const count = {
  name: 'count',
  text: 'select count(*) as total from (select 1 from user_account where deleted_at is null and organise_id = $1 limit $2) matching',
}
const app = Fastify()
app.get('/', async () => {
  const [page, total] = await Promise.all([
    pool.query({ ...rows, values: ['2', 20, 0] }),
    pool.query<{ total: string }>({ ...count, values: ['2', 10_001] }),
  ])
  return {
    success: true,
    message: '操作成功',
    data: { total: Number(total.rows[0]?.total), bounded: false, rows: page.rows as unknown[] },
  }
})
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
