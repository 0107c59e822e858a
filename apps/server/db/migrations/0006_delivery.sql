-- Up Migration

-- What must leave the database, written in the transaction that causes it. A worker publishes it and marks it.
create table outbox (
  id bigint primary key generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_waiting on outbox (id) where published_at is null;

create function app.wake_relay() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger wake_relay after insert on outbox for each statement execute function app.wake_relay();

-- The answer to a request that must happen once, committed together with its effect.
create table idempotency_key (
  user_id bigint not null,
  key text not null check (length(key) between 16 and 64),
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  request_hash bytea not null,
  -- Sealed: a reply may hold a first password.
  reply text,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

create table notification (
  id bigint primary key generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  user_id bigint not null,
  type smallint not null check (type between 0 and 6),
  title text not null,
  body text not null,
  route text,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  foreign key (user_id, organise_id) references user_account (id, organise_id)
);
create index notification_list on notification (user_id, id desc);
create index notification_unread on notification (user_id) where read_at is null;

do $$
declare tbl text;
begin
  foreach tbl in array array['outbox', 'idempotency_key', 'notification'] loop
    call app.secure_tenant_table(tbl::regclass);
  end loop;
end $$;

-- Down Migration
drop table notification, idempotency_key, outbox;
drop function app.wake_relay;
