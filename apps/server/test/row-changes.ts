import type { TestApi } from './api.ts'

type Api = Pick<TestApi, 'sql'>

/** Tables without their partitions, each with whether it belongs to tenants. */
export const tablesOf = (api: Api) =>
  api.sql<{ name: string; tenant: boolean }>(
    `select c.relname as name,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organise_id') as tenant
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,
  )

/**
 * Triggers that record each committed change of a row: a trigger costs a write, while comparing the content of all
 * tables costs a read of all of them around each call. An update to the same values is no change.
 */
export async function recordChanges(api: Api, tables: readonly string[]): Promise<void> {
  await api.sql(`
    create schema row_changes;
    create table row_changes.change (
      id bigint generated always as identity,
      table_name text not null,
      kind text not null,
      organise_ids text[] not null
    );
    create function row_changes.record() returns trigger language plpgsql security definer as $$
    declare
      owner_column text := tg_argv[1];
    begin
      insert into row_changes.change (table_name, kind, organise_ids)
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
    const call = `execute function row_changes.record('${name}', '${name === 'organise' ? 'id' : 'organise_id'}')`
    await api.sql(`
      create trigger zz_record after insert or delete on ${name} for each row ${call};
      create trigger zz_record_update after update on ${name} for each row when (old.* is distinct from new.*) ${call}`)
  }
}

/** What was changed since the last question. */
export const takeChanges = (api: Api) =>
  api.sql<{ table_name: string; kind: string; organise_ids: string[] }>(
    'with taken as (delete from row_changes.change returning *) select * from taken order by id',
  )
