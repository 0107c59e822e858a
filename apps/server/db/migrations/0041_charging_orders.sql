-- Up Migration

-- Months of a table whose number holds the moment of its rows, as those of messages do.
-- SECURITY DEFINER, reviewed: makes partitions of the table it is given, nothing that a caller says is executed.
create function app.ensure_id_months(tbl text, ahead int) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month timestamp;
  made int := 0;
  child text;
begin
  for month in select generate_series(date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '1 month',
    date_trunc('month', now() at time zone 'Asia/Shanghai') + make_interval(months => ahead), interval '1 month') loop
    child := format('%s_%s', tbl, to_char(month, 'YYYYMM'));
    if to_regclass(child) is null then
      execute format('create table %I partition of %I for values from (%s) to (%s)', child, tbl,
        app.message_id(month at time zone 'Asia/Shanghai'), app.message_id((month + interval '1 month') at time zone 'Asia/Shanghai'));
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
revoke all on function app.ensure_id_months from public;
grant execute on function app.ensure_id_months to wattdeck_worker;

create sequence charging_order_count;
create function app.order_id() returns bigint language sql volatile as $$
  select app.message_id(clock_timestamp()) | (nextval('charging_order_count') & 4194303)
$$;

-- One charge, from the wish to the bill. Its number, which people see, holds the moment it was made.
create table charging_order (
  id bigint not null primary key default app.order_id(),
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  device_id bigint not null,
  port_no smallint not null,
  device_no text not null,
  device_type_id bigint not null,
  -- What the device calls it: the number itself where the protocol can carry that.
  wire_no text not null check (length(wire_no) between 1 and 40),
  -- Whose money it is; nobody's where a charge began without the platform and no payer is known.
  member_id bigint,
  card_no text,
  start_mode smallint not null,
  tariff_version_id bigint references tariff_version,
  billing_type smallint not null,
  -- 1 starting, 2 charging, 3 billed, 4 released without a bill, 5 in review.
  status smallint not null default 1 check (status between 1 and 5),
  -- What was asked for: 1 for so much money, 2 minutes, 3 energy in 1/10000 kWh, 4 until full.
  limit_by smallint not null check (limit_by between 1 and 4),
  limit_value int not null check (limit_value >= 0),
  held_paid_fen bigint not null default 0 check (held_paid_fen >= 0),
  held_gift_fen bigint not null default 0 check (held_gift_fen >= 0),
  command_id bigint,
  stop_command_id bigint,
  started_at timestamptz,
  ended_at timestamptz,
  duration_s int,
  energy_dwh int,
  peak_power_dw int,
  stop_reason text,
  electricity_fen bigint not null default 0 check (electricity_fen >= 0),
  service_fen bigint not null default 0 check (service_fen >= 0),
  occupancy_fen bigint not null default 0 check (occupancy_fen >= 0),
  total_fen bigint not null default 0,
  paid_fen bigint not null default 0,
  gift_fen bigint not null default 0,
  refunded_fen bigint not null default 0 check (refunded_fen >= 0 and refunded_fen <= paid_fen + gift_fen),
  -- The bill as it was worked out, with every line, and the device's own words that it rests on.
  bill jsonb,
  settlement jsonb,
  -- Why nobody may be billed without a person having looked.
  review_reasons text[],
  -- Who decided, in review or by force, and why.
  decided_by text,
  decision text check (length(decision) <= 200),
  settled_at timestamptz,
  foreign key (member_id, organise_id) references member (id, organise_id),
  check (total_fen = electricity_fen + service_fen + occupancy_fen),
  -- A bill takes what it says, and no more than was held.
  check (paid_fen + gift_fen = case when status = 3 then total_fen else 0 end),
  check (paid_fen <= held_paid_fen and gift_fen <= held_gift_fen),
  check ((status in (3, 4)) = (settled_at is not null)),
  check (status <> 5 or review_reasons is not null)
) partition by range (id);
create index charging_order_list on charging_order (organise_id, id desc) include (agent_id, site_id);
create index charging_order_agent on charging_order (organise_id, agent_id, id desc) include (site_id);
create index charging_order_site on charging_order (organise_id, site_id, id desc) include (agent_id);
create index charging_order_status on charging_order (organise_id, status, id desc) include (agent_id, site_id);
create index charging_order_type on charging_order (organise_id, device_type_id, id desc) include (agent_id, site_id);
create index charging_order_mode on charging_order (organise_id, start_mode, id desc) include (agent_id, site_id);
create index charging_order_device on charging_order (device_id, id desc);
create index charging_order_member on charging_order (member_id, id desc) where member_id is not null;
create index charging_order_review on charging_order (organise_id, id desc) where status = 5;
call app.secure_tenant_table('charging_order');
select app.ensure_id_months('charging_order', 3);

-- A port that is taken by an order, until the order ends. What the device reports stands here while it charges, so that
-- the order itself changes only when it begins and ends.
create table open_charge (
  device_id bigint not null,
  port_no smallint not null,
  order_id bigint not null unique,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  wire_no text not null,
  command_id bigint,
  -- Until when the device must have begun; none once it has.
  confirm_by timestamptz,
  -- From when on it must have ended by its own limits.
  end_by timestamptz,
  reported_at timestamptz,
  energy_dwh int,
  duration_s int,
  power_dw int,
  peak_power_dw int,
  -- Newest of the device's own order that was taken in.
  ord bigint not null default -1,
  -- The meter ran backwards, or jumped: never billed unseen.
  doubts text[] not null default '{}',
  primary key (device_id, port_no)
);
create index open_charge_list on open_charge (organise_id, order_id desc);
create index open_charge_confirm on open_charge (confirm_by) where confirm_by is not null;
create index open_charge_end on open_charge (end_by) where end_by is not null;
call app.secure_tenant_table('open_charge');

-- The power curve.
create table charge_sample (
  order_id bigint not null,
  at timestamptz not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  energy_dwh int not null,
  power_dw int,
  primary key (order_id, at)
) partition by range (order_id);
call app.secure_tenant_table('charge_sample');
select app.ensure_id_months('charge_sample', 3);

-- What devices said of charges, written where their messages are taken in, for the one who moves the orders on. A row
-- goes when what it says has been done.
create table charge_news (
  id bigint not null primary key,
  device_id bigint not null,
  kind text not null,
  content jsonb not null,
  at timestamptz not null,
  tries smallint not null default 0,
  not_before timestamptz not null default '-infinity'
);
alter table charge_news enable row level security;
alter table charge_news force row level security;
create policy platform on charge_news using ((select app.scope_level()) = 0);
create function app.wake_charges() returns trigger language plpgsql as $$
begin
  perform pg_notify('charge_news', '');
  return null;
end $$;
create trigger wake after insert on charge_news for each statement execute function app.wake_charges();

grant select, insert, update on charging_order to wattdeck_api, wattdeck_worker;
grant select, insert, update, delete on open_charge to wattdeck_api, wattdeck_worker;
grant select on charge_sample to wattdeck_api;
grant select, insert on charge_sample to wattdeck_worker;
grant select, insert, update, delete on charge_news to wattdeck_worker;
grant usage on sequence charging_order_count to wattdeck_api, wattdeck_worker;

-- Down Migration
drop table charge_news, charge_sample, open_charge, charging_order;
drop function app.wake_charges, app.order_id, app.ensure_id_months;
drop sequence charging_order_count;
