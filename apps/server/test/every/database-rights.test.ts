import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiUrl, superuserUrl, workerUrl } from '../../../../tools/ops/database.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'

/** Rights of the process roles in the database besides reading and writing tables. */
let api: TestApi
let fixture: Fixture
const roles = ['wattdeck_api', 'wattdeck_worker'] as const
type Role = (typeof roles)[number]
let clients: Record<Role, pg.Client>
let owner: pg.Client

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  clients = {
    wattdeck_api: new pg.Client({ connectionString: apiUrl(api.database) }),
    wattdeck_worker: new pg.Client({ connectionString: workerUrl(api.database) }),
  }
  owner = new pg.Client({ connectionString: superuserUrl(api.database) })
  for (const client of [...Object.values(clients), owner]) await client.connect()
  await owner.query('set role wattdeck_owner')
})
afterAll(async () => {
  for (const client of [...Object.values(clients), owner]) await client.end()
})

/** Each function is listed because a statement, default, policy or view of that role's process runs it. */
const both = [
  'app.account_balance(bigint)',
  'app.agent_ids()',
  'app.agents_below(bigint)',
  'app.audit_append(jsonb)',
  'app.card_in_use(bigint)',
  'app.city_of(text)',
  'app.close_coupon(bigint,bigint,bigint)',
  'app.command_id()',
  'app.coupon_offers(bigint,bigint,bigint,bigint,boolean)',
  'app.hold_coupon(bigint,bigint,bigint)',
  'app.live_menus()',
  'app.lock_card_in_use(bigint)',
  'app.members_of_phone(text,bigint)',
  'app.message_id(timestamp with time zone)',
  'app.message_time(bigint)',
  'app.next_code(text,regclass)',
  'app.order_id()',
  'app.order_payer(bigint)',
  'app.order_tariff(bigint)',
  'app.organise_id()',
  'app.outage_hours(timestamp with time zone,timestamp with time zone)',
  'app.pay_id()',
  'app.post(jsonb)',
  'app.province_of(text)',
  'app.refund_step(text,text)',
  'app.return_coupon(bigint,bigint)',
  'app.scope_level()',
  'app.service_status(date)',
  'app.setting(text)',
  'app.site_ids()',
  'app.stat_places(bigint,bigint,bigint,text)',
  'app.user_rights(bigint)',
  'app.version_in_force(bigint)',
  'app.visits_since()',
]
const reviewed: Record<Role, string[]> = {
  wattdeck_api: [...both, 'app.credentials_linked(bigint,bigint)', 'app.forget_guesses(text[])'],
  wattdeck_worker: [
    ...both,
    'app.account_breaks(bigint[])',
    'app.activity_base(date,date)',
    'app.analysis_breaks(date,date)',
    'app.audit_hash(bytea,audit_log)',
    'app.ensure_id_months(text,integer,timestamp with time zone)',
    'app.ensure_months(text,integer,timestamp with time zone)',
    'app.expire_gift(bigint,bigint)',
    'app.fold_analysis(integer)',
    'app.fold_places(integer)',
    'app.fold_rankings(integer)',
    'app.fold_stats(integer)',
    'app.held_breaks()',
    'app.keep_days(text,integer,integer,timestamp with time zone)',
    'app.keep_outbox_days(integer,integer,timestamp with time zone)',
    'app.ledger_breaks_between(xid8,xid8)',
    'app.month_of(timestamp with time zone)',
    'app.pass_breaks(bigint)',
    'app.outage_base(timestamp with time zone,timestamp with time zone)',
    'app.partition_days_left(text,timestamp with time zone)',
    'app.place_breaks(date,date)',
    'app.ports_down(timestamp with time zone,smallint,boolean,smallint,smallint)',
    'app.posting_digest(bigint,bigint,text,smallint,text,text,text,timestamp with time zone,jsonb)',
    'app.prove_accounts(integer)',
    'app.prove_audit(bigint,boolean,integer)',
    'app.prove_days(boolean)',
    'app.prove_orders(boolean,integer)',
    'app.prove_postings(boolean,integer)',
    'app.ranking_breaks(date,date)',
    'app.rankings_base()',
    'app.roll_outages()',
    'app.seal_ledger(integer)',
    'app.sim_carrier(text)',
    'app.stat_base(timestamp with time zone,timestamp with time zone)',
    'app.stat_breaks(date,date)',
    'app.stat_figures(regclass)',
    'app.stat_now_base()',
    'app.sum_breaks(bigint[])',
  ],
}

const ours = "pronamespace in ('app'::regnamespace, 'public'::regnamespace)"
const routines = async (condition: string, values: unknown[] = []) =>
  (
    await api.sql<{ name: string }>(
      `select oid::regprocedure::text as name from pg_proc where ${ours} and ${condition}`,
      values,
    )
  )
    .map(({ name }) => name)
    .toSorted()

/** Returns the error code of PostgreSQL, or 'done'. Rolls back every change. */
async function attempt(client: pg.Client, ...statements: string[]): Promise<string | undefined> {
  await client.query('begin')
  try {
    for (const text of statements) await client.query(text)
    return 'done'
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await client.query('rollback')
  }
}
const denied = '42501'

describe('functions', () => {
  it('[attack.M11] are executable by listed roles only', async () => {
    expect(
      await routines('(proacl is null or exists (select from aclexplode(proacl) where grantee = 0))'),
      'these are executable by PUBLIC',
    ).toEqual([])
  })

  it.each(roles)('[attack.M11] executable by %s are exactly those reviewed here', async (role) => {
    const names = await routines("has_function_privilege($1, oid, 'execute')", [role])
    expect(names).toEqual(reviewed[role].toSorted())
  })

  it('[attack.M11] that run with their owner’s rights fix their search path, with temporary tables last', async () => {
    expect(
      await routines('prosecdef and not coalesce(proconfig @> \'{"search_path=public, pg_temp"}\', false)'),
    ).toEqual([])
    expect((await routines('prosecdef')).length).toBeGreaterThan(20)
  })

  it('[attack.M11] of triggers are executable by their owner only', async () => {
    for (const role of roles)
      expect(
        await routines("prorettype = 'trigger'::regtype and has_function_privilege($1, oid, 'execute')", [role]),
      ).toEqual([])
  })

  it('[attack.M11] of a later migration are executable by no role until it grants them', async () => {
    await owner.query('begin')
    await owner.query("create function app.later() returns int language sql as 'select 1'")
    await owner.query('create procedure public.later() language plpgsql as $$ begin null; end $$')
    const { rows } = await owner.query<{ may: boolean }>(
      `select has_function_privilege(role, oid, 'execute') as may
       from pg_proc, unnest($1::text[]) role
       where proname = 'later' and ${ours}`,
      [roles],
    )
    await owner.query('rollback')
    expect(rows.map(({ may }) => may)).toEqual([false, false, false, false])
  })
})

describe('a role of a process', () => {
  it.each(roles)('[attack.M11] %s cannot create a temporary table', async (role) => {
    expect(await attempt(clients[role], 'create temporary table site (id bigint)')).toBe(denied)
    expect(await attempt(clients[role], 'select 1 as id into temporary site')).toBe(denied)
  })

  it.each(roles)('[attack.M11] %s cannot create objects in our schemas, nor a schema', async (role) => {
    for (const schema of ['public', 'app'])
      for (const text of [
        `create table ${schema}.mine (id int)`,
        `create view ${schema}.mine as select 1`,
        `create sequence ${schema}.mine`,
        `create type ${schema}.mine as (id int)`,
        `create function ${schema}.mine() returns int language sql as 'select 1'`,
      ])
        expect(await attempt(clients[role], text), text).toBe(denied)
    expect(await attempt(clients[role], 'create schema mine')).toBe(denied)
    expect(await attempt(clients[role], 'create extension hstore')).toBe(denied)
  })

  it('[attack.M11] can create tables only in the schema of the job queue, and only as the worker', async () => {
    const found = await api.sql(
      `select role, nspname as schema
       from pg_namespace, unnest($1::text[]) role
       where has_schema_privilege(role, oid, 'create')
         and nspname !~ '^pg_'
       order by 1, 2`,
      [roles],
    )
    expect(found).toEqual([{ role: 'wattdeck_worker', schema: 'pgboss' }])
  })

  it('[attack.M11] cannot attach a trigger to our tables', async () => {
    const found = await api.sql(
      `select oid::regclass::text as name
       from pg_class, unnest($1::text[]) role
       where relkind in ('r', 'p', 'v')
         and relnamespace in ('app'::regnamespace, 'public'::regnamespace)
         and has_table_privilege(role, oid, 'trigger, truncate, references')`,
      [roles],
    )
    expect(found).toEqual([])
  })

  it('[attack.M11] cannot move another organisation’s accounts by a trigger on its own table', async () => {
    const places = () => api.sql('select id, site_id, agent_id from account order by id')
    const before = await places()
    const columns = '(id bigint, organise_id bigint, agent_id bigint)'
    const attack = (table: string, makeTable: string) => [
      makeTable,
      `create trigger follow after update on ${table} for each row execute function app.move_accounts()`,
      `insert into ${table} values (1, ${fixture.swift.id}, null)`,
      `update ${table} set agent_id = 1`,
    ]
    for (const role of roles)
      expect(await attempt(clients[role], ...attack('site', `create temporary table site ${columns}`))).toBe(denied)
    // The worker owns the schema of the queue, so only the missing right to the function stops it.
    const queue = attack('pgboss.site', `create table pgboss.site ${columns}`)
    expect(await attempt(clients.wattdeck_worker, queue[0] ?? '')).toBe('done')
    expect(await attempt(clients.wattdeck_worker, ...queue)).toBe(denied)
    expect(await places()).toEqual(before)
  })
})
