-- Up Migration

-- A key of a merchant is a candidate until a person of the platform approves it and the provider answers to it. Before
-- that it neither signs nor proves a notice. Keys of before this migration stay live.
alter table pay_key
  add column asked_by bigint references user_account,
  add column approved_by text,
  add column approved_at timestamptz,
  -- When the provider's answer was proven by this key. From then on it signs and is believed.
  add column live_at timestamptz,
  -- When the worker next tries it at the provider, and what came of the last try.
  add column try_at timestamptz,
  add column tries int not null default 0,
  add column words text check (length(words) <= 200);
update pay_key set approved_by = created_by, approved_at = created_at, live_at = created_at;
alter table pay_key
  add check ((approved_at is null) = (approved_by is null)),
  add constraint pay_key_approved check (approved_at is not null or live_at is null and try_at is null),
  drop constraint pay_key_merchant_id_serial_provider_key_id_key;
-- A key that was declined or retired can be asked for again.
create unique index pay_key_serial on pay_key (merchant_id, serial, provider_key_id) where retired_at is null;
create index pay_key_try on pay_key (try_at) where try_at is not null;

-- The api takes requests and approvals, only the worker makes a key live, and neither changes what a key is.
revoke insert, update on pay_key from wattdeck_api;
grant insert (organise_id, merchant_id, serial, secret_sealed, provider_key_id, provider_key, created_by, asked_by) on pay_key to wattdeck_api;
grant update (approved_by, approved_at, try_at, words, retired_at) on pay_key to wattdeck_api;
grant update (live_at, try_at, tries, words, retired_at) on pay_key to wattdeck_worker;

-- When the worker next asks the provider whether a notice is true; none where the notice is believed by itself.
alter table pay_notice
  add column ask_at timestamptz,
  add column asks int not null default 0,
  add constraint pay_notice_asked check (ask_at is null or status = 1);
create index pay_notice_ask on pay_notice (ask_at) where ask_at is not null;

-- Down Migration

drop index pay_notice_ask;
alter table pay_notice drop column ask_at, drop column asks;
revoke update (live_at, try_at, tries, words, retired_at) on pay_key from wattdeck_worker;
grant insert, update on pay_key to wattdeck_api;
drop index pay_key_try;
drop index pay_key_serial;
delete from pay_key where live_at is null;
alter table pay_key
  drop column asked_by,
  drop column approved_by,
  drop column approved_at,
  drop column live_at,
  drop column try_at,
  drop column tries,
  drop column words,
  add unique (merchant_id, serial, provider_key_id);
