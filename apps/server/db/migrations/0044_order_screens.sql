-- Up Migration

-- What is open, or starting, is a handful of the orders there are.
create index charging_order_open on charging_order (organise_id, id desc) include (agent_id, site_id) where status in (1, 2);

-- What people do to an order stands in the log with the order before and after. Rows of a partition are rows of its table.
create or replace function app.capture_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  secrets text[] := array['password_hash', 'totp_secret', 'token_hash', 'code_hash', 'avatar', 'params'];
  noise text[] := array['updated_at', 'last_seen_at'];
  was jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  now_is jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  before jsonb := '{}';
  after jsonb := '{}';
  device_key text := case when tg_table_name = 'device' then 'id' else 'device_id' end;
  field text;
begin
  -- Migrations and seeds are no actions of anybody.
  if coalesce(current_setting('app.audited', true), '') <> 'on' then return null; end if;
  for field in select jsonb_object_keys(was || now_is) loop
    -- A column that is empty in a new row has not changed.
    continue when field = any (noise) or nullif(was -> field, 'null') is not distinct from nullif(now_is -> field, 'null');
    if field = any (secrets) then
      before := before || jsonb_build_object(field, case when jsonb_typeof(was -> field) <> 'null' then '******' end);
      after := after || jsonb_build_object(field, case when jsonb_typeof(now_is -> field) <> 'null' then '******' end);
    else
      before := before || jsonb_build_object(field, was -> field);
      after := after || jsonb_build_object(field, now_is -> field);
    end if;
  end loop;
  if before <> '{}' or after <> '{}' then
    insert into audit_pending (txid, change, device_id) values (pg_current_xact_id(), jsonb_build_object(
      'table', coalesce((select whole.relname from pg_inherits join pg_class whole on whole.oid = inhparent where inhrelid = tg_relid), tg_table_name),
      'rowId', coalesce(now_is ->> 'id', was ->> 'id', ''), 'before', before, 'after', after),
      coalesce(now_is ->> device_key, was ->> device_key)::bigint);
  end if;
  return null;
end $$;
call app.audit_table('charging_order');

-- Whoever sees an order may know who pays for it and by which prices, also where that member first charged elsewhere or the
-- prices are the organisation's. SECURITY DEFINER with the scope of the system, reviewed: answers two texts of a row that the
-- caller's own order names; lists mask them.
create function app.order_payer(asked bigint, out nickname text, out phone text) language sql stable security definer
  set search_path = public, pg_temp set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
  select nickname, phone from member where id = asked
$$;
create function app.order_tariff(asked bigint, out name text, out no int, out display_text text) language sql stable security definer
  set search_path = public, pg_temp set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
  select tariff.name, version.no, version.display_text from tariff_version version join tariff on tariff.id = version.tariff_id where version.id = asked
$$;
-- Numbers only, for a search among orders that row security then narrows.
create function app.members_of_phone(asked text, organise bigint) returns bigint[] language sql stable security definer
  set search_path = public, pg_temp set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
  select coalesce(array_agg(id), '{}') from (select id from member where phone = asked and (organise is null or organise_id = organise) limit 200) found
$$;
revoke all on function app.order_payer, app.order_tariff, app.members_of_phone from public;
grant execute on function app.order_payer, app.order_tariff, app.members_of_phone to wattdeck_api, wattdeck_worker;

-- Down Migration
drop function app.members_of_phone, app.order_tariff, app.order_payer;
drop trigger capture_change on charging_order;
drop index charging_order_open;
