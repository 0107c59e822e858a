-- Up Migration

-- Guesses at passwords and second factors are counted here, before they are judged, for names that nobody has as well. So
-- they must survive a crash of the database, and the counters in the account and the session are not needed.
alter table attempt set logged;
alter table user_account drop column failed_logins;
alter table session drop column second_factor_tries;

-- Counts belong to no tenant, so nobody sees them in a scope of their own. SECURITY DEFINER, reviewed: deletes counts by
-- their whole keys.
create function app.forget_guesses(keys text[]) returns void
language sql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
  delete from attempt where key = any(keys)
$$;
revoke execute on function app.forget_guesses(text[]) from public;
grant execute on function app.forget_guesses(text[]) to wattdeck_api;

-- Down Migration

drop function app.forget_guesses(text[]);
alter table session add column second_factor_tries smallint not null default 0;
alter table user_account add column failed_logins int not null default 0;
alter table attempt set unlogged;
