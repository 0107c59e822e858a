-- Up Migration

-- Which types of notices pop up for a person; a type without a row does. The drawer always has them all.
create table notification_preference (
  user_id bigint not null,
  type smallint not null check (type between 0 and 6),
  organise_id bigint not null references organise,
  agent_id bigint,
  site_id bigint,
  popup boolean not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, type),
  -- A warning of the platform must reach everybody.
  check (type <> 3 or popup),
  foreign key (user_id, organise_id) references user_account (id, organise_id),
  foreign key (agent_id, organise_id) references agent (id, organise_id),
  foreign key (site_id, organise_id) references site (id, organise_id)
);
call app.secure_tenant_table('notification_preference');
call app.audit_table('notification_preference');
create trigger touch before update on notification_preference for each row when (old.* is distinct from new.*) execute function app.touch();
grant select, insert, update on notification_preference to wattdeck_api;

-- Down Migration
drop table notification_preference;
