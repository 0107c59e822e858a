-- Up Migration

-- PostgreSQL lets every role execute a new function. With a temporary table of its own, a role could attach our
-- SECURITY DEFINER trigger functions to it and write in their owner's name. Now each right is granted by name.
do $$
declare
  routine regprocedure;
begin
  for routine in
    select oid
    from pg_proc
    where pronamespace in ('app'::regnamespace, 'public'::regnamespace)
      and proowner = current_user::regrole
  loop
    execute format('revoke execute on routine %s from public', routine);
  end loop;
  -- A copy of a database does not inherit this, so tools/ops/database.ts repeats it.
  execute format('revoke temporary on database %I from public, wattdeck_api, wattdeck_worker', current_database());
end $$;
alter default privileges revoke execute on routines from public;
revoke create on schema public from public, wattdeck_api, wattdeck_worker;
revoke all on schema app from public;

-- Conditions of row security, for each query of both roles.
grant execute on function
  app.setting(text),
  app.scope_level(),
  app.organise_id(),
  app.agent_ids(),
  app.site_ids()
to wattdeck_api, wattdeck_worker;

-- Defaults of columns, conditions of triggers and functions inside trigger functions: for the role that writes the row.
grant execute on function
  app.next_code(text, regclass),
  app.message_id(timestamptz),
  app.command_id(),
  app.order_id(),
  app.pay_id(),
  app.refund_step(text, text),
  app.service_status(date)
to wattdeck_api, wattdeck_worker;

-- Functions that the statements of both processes name.
grant execute on function
  app.message_time(bigint),
  app.agents_below(bigint),
  app.user_rights(bigint),
  app.live_menus(),
  app.account_balance(bigint),
  app.version_in_force(bigint)
to wattdeck_api, wattdeck_worker;

-- Views of the statistics run these with the rights of their reader; the worker also reads them for sheets.
grant execute on function
  app.stat_places(bigint, bigint, bigint, text),
  app.province_of(text),
  app.city_of(text),
  app.outage_hours(timestamptz, timestamptz)
to wattdeck_api, wattdeck_worker;

-- Functions inside the worker's proofs and foldings, and one that its incidents name.
grant execute on function
  app.audit_hash(bytea, audit_log),
  app.stat_figures(regclass),
  app.month_of(timestamptz),
  app.ports_down(timestamptz, smallint, boolean, smallint, smallint),
  app.sim_carrier(text)
to wattdeck_worker;

-- Proofs and repairs that people run by hand as superuser; the worker has its own, in slices.
revoke execute on function
  app.audit_breaks(),
  app.ledger_breaks(bigint),
  app.ledger_breaks_of_entries(bigint),
  app.order_breaks(bigint),
  app.rebuild_stats(date, date),
  app.rebuild_places(date, date),
  app.rebuild_rankings(date, date)
from wattdeck_worker;

-- Down Migration

grant execute on function
  app.audit_breaks(),
  app.ledger_breaks(bigint),
  app.ledger_breaks_of_entries(bigint),
  app.order_breaks(bigint),
  app.rebuild_stats(date, date),
  app.rebuild_places(date, date),
  app.rebuild_rankings(date, date)
to wattdeck_worker;
revoke execute on function
  app.setting(text),
  app.scope_level(),
  app.organise_id(),
  app.agent_ids(),
  app.site_ids(),
  app.next_code(text, regclass),
  app.message_id(timestamptz),
  app.command_id(),
  app.order_id(),
  app.pay_id(),
  app.refund_step(text, text),
  app.service_status(date),
  app.message_time(bigint),
  app.agents_below(bigint),
  app.user_rights(bigint),
  app.live_menus(),
  app.account_balance(bigint),
  app.version_in_force(bigint),
  app.stat_places(bigint, bigint, bigint, text),
  app.province_of(text),
  app.city_of(text),
  app.outage_hours(timestamptz, timestamptz),
  app.audit_hash(bytea, audit_log),
  app.stat_figures(regclass),
  app.month_of(timestamptz),
  app.ports_down(timestamptz, smallint, boolean, smallint, smallint),
  app.sim_carrier(text)
from wattdeck_api, wattdeck_worker;
grant execute on function
  app.setting(text),
  app.scope_level(),
  app.organise_id(),
  app.agent_ids(),
  app.site_ids(),
  app.next_code(text, regclass),
  app.message_id(timestamptz),
  app.command_id(),
  app.order_id(),
  app.pay_id(),
  app.refund_step(text, text),
  app.service_status(date),
  app.message_time(bigint),
  app.agents_below(bigint),
  app.user_rights(bigint),
  app.live_menus(),
  app.account_balance(bigint),
  app.version_in_force(bigint),
  app.stat_places(bigint, bigint, bigint, text),
  app.province_of(text),
  app.city_of(text),
  app.outage_hours(timestamptz, timestamptz),
  app.audit_hash(bytea, audit_log),
  app.stat_figures(regclass),
  app.month_of(timestamptz),
  app.ports_down(timestamptz, smallint, boolean, smallint, smallint),
  app.sim_carrier(text),
  app.settlement_stopped(bigint)
to public;
alter default privileges grant execute on routines to public;
do $$
declare
  routine regprocedure;
begin
  for routine in
    select oid
    from pg_proc
    where pronamespace = 'app'::regnamespace
      and prorettype = 'trigger'::regtype
      and proname <> 'capture_device'
  loop
    execute format('grant execute on routine %s to public', routine);
  end loop;
  execute format('grant temporary on database %I to public', current_database());
end $$;
grant execute on procedure
  app.secure_tenant_table(regclass),
  app.secure_platform_table(regclass),
  app.secure_organise_table(regclass),
  app.audit_table(regclass)
to public;
