import { ownership } from '@wattdeck/contract/system/ownership.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it, afterAll } from 'vitest'
import { apiUrl, superuserUrl } from '../../../../tools/ops/database.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'

/** Row-level security of every table in the catalogue; a new table is covered automatically. */
let api: TestApi
let fixture: Fixture
let tables: { name: string; tenant: boolean; forced: boolean }[]
let role: pg.Client

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  tables = await api.sql(`select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organise_id') or c.relname = 'organise' as tenant
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migration' order by 1`)
  role = new pg.Client({ connectionString: apiUrl(api.database) })
  await role.connect()
})
afterAll(() => role.end())

const attempt = async (text: string) => {
  await role.query('begin')
  try {
    const { rowCount } = await role.query(text)
    // A table without rows answers before it checks the scope.
    return rowCount === 0 ? 'nothing' : `${rowCount} rows`
  } catch (error) {
    const { message } = error as Error
    return /no scope|permission denied|null value/.test(message) ? 'nothing' : message
  } finally {
    await role.query('rollback')
  }
}

describe('tables', () => {
  it('all force row security', () => {
    expect(tables.length).toBeGreaterThan(20)
    expect(tables.filter((table) => !table.forced)).toEqual([])
  })

  it('let the api role read and write nothing without a scope', async () => {
    for (const { name } of tables) {
      expect(await attempt(`select * from ${name}`), name).toBe('nothing')
      expect(await attempt(`delete from ${name}`), name).toBe('nothing')
      expect(await attempt(`update ${name} set ${await anyColumn(name)} = ${await anyColumn(name)}`), name).toBe(
        'nothing',
      )
      expect(await attempt(`insert into ${name} default values`), name).toBe('nothing')
    }
  })

  it('show an organisation only its own rows, and let it write only those', async () => {
    for (const { name, tenant } of tables.filter((table) => table.tenant)) {
      const column = name === 'organise' ? 'id' : 'organise_id'
      await role.query('begin')
      await role.query(
        `select set_config('app.scope_level', '1', true), set_config('app.organise_id', $1, true),
        set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true)`,
        [fixture.green.id],
      )
      const seen = await role
        .query<{ id: string }>(`select distinct ${column} as id from ${name}`)
        .catch((error: Error) => error.message)
      await role.query('rollback')
      if (typeof seen === 'string') expect(seen).toMatch(/permission denied/)
      else
        expect(
          seen.rows.every((row) => row.id === fixture.green.id),
          `${name} ${tenant}`,
        ).toBe(true)
    }
  })

  it('have partitions that the api role cannot reach past their parent', async () => {
    const children = await api.sql<{ name: string; reachable: boolean }>(
      `select relname as name, has_table_privilege('wattdeck_api', oid, 'select, insert, update, delete') as reachable
       from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    expect(children.length).toBeGreaterThan(0)
    expect(children.filter(({ reachable }) => reachable)).toEqual([])
  })
})

async function anyColumn(table: string): Promise<string> {
  const [row] = await api.sql<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = $2 order by attnum limit 1',
    [table, ''],
  )
  return row?.name ?? ''
}

describe('bypasses of row security', () => {
  it('do not exist: no view, no materialised view, no unreviewed function with its owner’s rights', async () => {
    const views =
      await api.sql(`select c.relname from pg_class c where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and (c.relkind = 'm'
      or (c.relkind = 'v' and not coalesce(c.reloptions @> '{security_invoker=true}', false)))`)
    expect(views).toEqual([])
    const definers = await api.sql<{ name: string }>(
      "select p.oid::regprocedure::text as name from pg_proc p where p.prosecdef and p.pronamespace in ('public'::regnamespace, 'app'::regnamespace) order by 1",
    )
    expect(definers.map(({ name }) => name)).toEqual([
      'app.add_months()',
      'app.audit_append(jsonb)',
      'app.capture_change()',
      'app.capture_device()',
      'app.card_in_use(bigint)',
      'app.close_coupon(bigint,bigint,bigint)',
      'app.count_activity()',
      'app.count_devices()',
      'app.count_faults()',
      'app.count_member()',
      'app.count_order()',
      'app.count_outage()',
      'app.count_recharge()',
      'app.count_recharge_refund()',
      'app.count_refund()',
      'app.count_service()',
      'app.coupon_offers(bigint,bigint,bigint,bigint,boolean)',
      'app.credentials_linked(bigint,bigint)',
      'app.ensure_id_months(text,integer,timestamp with time zone)',
      'app.ensure_months(text,integer,timestamp with time zone)',
      'app.expire_gift(bigint,bigint)',
      'app.forget_guesses(text[])',
      'app.guard_shift_cash()',
      'app.hold_coupon(bigint,bigint,bigint)',
      'app.keep_audit_resource()',
      'app.keep_auditor_apart()',
      'app.keep_auditor_reading()',
      'app.keep_days(text,integer,integer,timestamp with time zone)',
      'app.keep_outbox_days(integer,integer,timestamp with time zone)',
      'app.lock_card_in_use(bigint)',
      'app.members_of_phone(text,bigint)',
      'app.move_accounts()',
      'app.move_activity()',
      'app.move_member()',
      'app.move_member_blocks()',
      'app.move_members()',
      'app.move_rankings()',
      'app.move_site_blocks()',
      'app.move_stats()',
      'app.order_payer(bigint)',
      'app.order_tariff(bigint)',
      'app.post(jsonb)',
      'app.rank_order()',
      'app.return_coupon(bigint,bigint)',
      'app.seal_ledger(integer)',
      'app.tell_piles()',
      'app.uncount_order()',
      'app.watch_outages()',
    ])
  })

  it('are closed to the roles: they own nothing, are no superusers, and do not bypass row security', async () => {
    const roles =
      await api.sql(`select rolname, rolsuper, rolbypassrls, rolcreaterole, (select count(*)::int from pg_class where relowner = r.oid and relnamespace = 'public'::regnamespace) as owns
      from pg_roles r where rolname in ('wattdeck_api', 'wattdeck_worker') order by 1`)
    expect(roles).toEqual(
      ['wattdeck_api', 'wattdeck_worker'].map((rolname) => ({
        rolname,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        owns: 0,
      })),
    )
  })

  it('are detected by these tests: an api that bypasses row security shows foreign rows', async () => {
    const careless = await startApi({ apiDatabaseUrl: superuserUrl(api.database) })
    const reply = await careless.call(fixture.green.admin.token, ownership.organises)
    expect(JSON.stringify(reply.data)).toContain('swift')
  })
})

describe('scope', () => {
  it('of an agent reaches its own and the levels below, of a site only itself', async () => {
    const names = async (token: string) =>
      (await api.call(token, staff.list, { query: { pageSize: 100 } })).data.rows.map((row) => row.loginName).toSorted()
    expect(await names(fixture.green.agent.token)).toEqual([
      'green_agent',
      'green_installer',
      'green_site',
      'green_sub_agent',
    ])
    expect(await names(fixture.green.subAgent.token)).toEqual(['green_site', 'green_sub_agent'])
    expect(await names(fixture.green.site.token)).toEqual(['green_site'])
    expect((await names(fixture.green.admin.token)).every((name) => name.startsWith('green_'))).toBe(true)
    expect((await names(fixture.platform.root.token)).some((name) => name.startsWith('swift_'))).toBe(true)
  })

  it('cannot be widened by a filter', async () => {
    for (const query of [
      { organiseId: fixture.swift.id },
      { organiseId: '1' },
      { departmentId: fixture.swift.departmentId },
      { roleId: fixture.swift.admin.roleId ?? '' },
    ]) {
      expect((await api.call(fixture.green.admin.token, staff.list, { query })).data.rows).toEqual([])
    }
  })
})
