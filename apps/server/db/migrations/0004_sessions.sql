-- Up Migration

-- Only the hash of a token is kept: whoever reads this table cannot log in with it.
create table session (
  id bigint primary key generated always as identity,
  token_hash bytea not null unique,
  user_id bigint not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  stage text not null check (stage in ('full', 'secondFactor', 'enrol', 'password')),
  pending_totp_secret text,
  second_factor_tries smallint not null default 0,
  acted_by bigint,
  ip inet,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (user_id, organise_id) references user_account (id, organise_id)
);
create index session_of_user on session (user_id) where ended_at is null;

-- A one-time link that logs in as somebody.
create table login_ticket (
  id bigint primary key generated always as identity,
  token_hash bytea not null unique,
  user_id bigint not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  issued_by bigint not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (user_id, organise_id) references user_account (id, organise_id)
);

create table sms_code (
  id bigint primary key generated always as identity,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  user_id bigint not null,
  phone text not null,
  purpose text not null check (purpose in ('login', 'reset', 'bind')),
  code_hash bytea not null,
  tries smallint not null default 0 check (tries <= 5),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (user_id, organise_id) references user_account (id, organise_id)
);
create index sms_code_phone on sms_code (phone, purpose, id desc);

-- A message to be sent. The parameters hold the code, so they are wiped once the provider has it.
create table sms_message (
  id bigint primary key generated always as identity,
  organise_id bigint not null references organise,
  agent_id bigint,
  site_id bigint,
  phone text not null,
  template text not null,
  params jsonb,
  status smallint not null default 0 check (status in (0, 1, 2)),
  provider_id text,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index sms_message_waiting on sms_message (id) where status = 0;
create index sms_message_phone on sms_message (phone, created_at desc);

-- Pictures to be read by a person. Lost in a crash on purpose: a new one is asked for.
create unlogged table captcha (
  id uuid primary key default gen_random_uuid(),
  answer text not null,
  expires_at timestamptz not null
);
create index captcha_expiry on captcha (expires_at);

-- Attempts a minute from one address, for routes that nobody is logged in for.
create unlogged table attempt (
  key text primary key,
  count int not null,
  expires_at timestamptz not null
);

do $$
declare tbl text;
begin
  foreach tbl in array array['session', 'login_ticket', 'sms_code', 'sms_message'] loop
    call app.secure_tenant_table(tbl::regclass);
  end loop;
  -- No tenant: only the login, which has the platform's scope, comes here.
  foreach tbl in array array['captcha', 'attempt'] loop
    execute format('alter table %s enable row level security', tbl);
    execute format('alter table %s force row level security', tbl);
    execute format('create policy platform on %s using ((select app.scope_level()) = 0) with check ((select app.scope_level()) = 0)', tbl);
  end loop;
end $$;

-- Down Migration
drop table attempt, captcha, sms_message, sms_code, login_ticket, session;
