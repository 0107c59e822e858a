import type { TestApi } from '../harness/api.ts'

type Api = Pick<TestApi, 'sql'>
/** The owner by which rows are distinguished. */
type Owner = 'organise' | 'agent'

/** Tables without their partitions, each with whether its rows belong to organisations and to agents. */
export const tablesOf = (api: Api) =>
  api.sql<{ name: string; tenant: boolean; ofAgent: boolean }>(
    `select c.relname as name,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organise_id') as tenant,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'agent_id') as "ofAgent"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,
  )

/**
 * Triggers that record each committed change of a row. A trigger costs one write; comparing the content of all tables
 * costs a full read around each call. An update to equal values is not recorded.
 */
export async function recordChanges(api: Api, tables: readonly string[], owner: Owner = 'organise'): Promise<void> {
  await api.sql(`
    create schema row_changes;
    create table row_changes.change (
      id bigint generated always as identity,
      table_name text not null,
      kind text not null,
      owner_ids text[] not null
    );
    create function row_changes.record() returns trigger language plpgsql security definer as $$
    declare
      owner_column text := tg_argv[1];
    begin
      insert into row_changes.change (table_name, kind, owner_ids)
      values (
        tg_argv[0],
        tg_op,
        array_remove(array[
          case when tg_op <> 'DELETE' then to_jsonb(new) ->> owner_column end,
          case when tg_op <> 'INSERT' then to_jsonb(old) ->> owner_column end
        ], null)
      );
      return null;
    end $$`)
  for (const name of tables) {
    const call = `execute function row_changes.record('${name}', '${name === owner ? 'id' : `${owner}_id`}')`
    await api.sql(`
      create trigger zz_record after insert or delete on ${name} for each row ${call};
      create trigger zz_record_update after update on ${name} for each row when (old.* is distinct from new.*) ${call}`)
  }
}

/** Takes the changes recorded since the previous call. */
export const takeChanges = (api: Api) =>
  api.sql<{ table_name: string; kind: string; owner_ids: string[] }>(
    'with taken as (delete from row_changes.change returning *) select * from taken order by id',
  )
