-- Up Migration

-- Who has set a way into whose account: its first password, a new one, its phone, its second factor. For a day two such
-- people count as one where one asks and the other decides.
create table credential_change (
  id bigint not null primary key generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  user_id bigint not null references user_account,
  kind text not null check (kind in ('account', 'password', 'phone', 'secondFactor')),
  changed_by bigint not null references user_account,
  created_at timestamptz not null default now()
);
create index credential_change_user on credential_change (user_id, created_at);
call app.secure_tenant_table('credential_change');
call app.audit_table('credential_change');
grant select, insert on credential_change to wattdeck_api;

-- When the session has last proven the second factor.
alter table session add column factor_at timestamptz;

-- Whether one of the two has set a way into the other's account within a day. SECURITY DEFINER, reviewed: answers yes or no
-- for two people, one of whom may stand where the caller does not see.
create function app.credentials_linked(one bigint, other bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
  select exists (
    select from credential_change
    where created_at > now() - interval '24 hours'
      and ((user_id = one and changed_by = other) or (user_id = other and changed_by = one))
  )
$$;
revoke execute on function app.credentials_linked(bigint, bigint) from public;
grant execute on function app.credentials_linked(bigint, bigint) to wattdeck_api;

-- Down Migration

drop function app.credentials_linked(bigint, bigint);
alter table session drop column factor_at;
drop table credential_change;
