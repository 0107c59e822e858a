-- Up Migration

-- Money that goes back. Who asks is never who decides, whoever they are: the handlers say so in words, the UPDATE names it
-- as a condition, and the tables check it.

-- Money of a member that waits for a decision: accounts 5 and 6 stand where the member stands, as 1 to 4 do. SECURITY
-- DEFINER, reviewed: nobody may write accounts; this writes nothing but the place of the member's own.
create or replace function app.move_member() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  update member_identity set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  update account set agent_id = new.agent_id, site_id = new.site_id
  where organise_id = new.organise_id and kind between 1 and 9 and owner_id = new.id;
  update balance_adjustment set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  return null;
end $$;

create function app.keep_refund() returns trigger language plpgsql as $$
begin
  raise exception 'a refund goes forward only, and what was asked for is never changed';
end $$;

-- A refund of a charge that was billed. It stands where its order stands. What goes back to whom, and from which of the
-- site's incomes, is worked out when it is asked for, so that what is approved is what was shown.
create table refund_order (
  id bigint primary key default app.pay_id(),
  organise_id bigint not null references organise,
  agent_id bigint,
  site_id bigint not null,
  order_id bigint not null references charging_order,
  member_id bigint,
  -- 1 by a rule, 2 by people, 3 of a charge that never began.
  kind smallint not null default 2 check (kind between 1 and 3),
  -- 1 into the wallet, 2 back to where the money came from.
  way smallint not null check (way in (1, 2)),
  amount_fen bigint not null check (amount_fen between 1 and 999999999),
  paid_fen bigint not null check (paid_fen >= 0),
  gift_fen bigint not null check (gift_fen >= 0),
  electricity_fen bigint not null check (electricity_fen >= 0),
  service_fen bigint not null check (service_fen >= 0),
  occupancy_fen bigint not null check (occupancy_fen >= 0),
  reason text not null check (length(reason) between 1 and 200),
  -- REFUND_APPROVING 1, APPROVED_REFUNDING 2, NOT_APPROVED 3, REFUNDED 4.
  status smallint not null default 1 check (status between 1 and 4),
  created_by_id bigint not null references user_account,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- Nobody where a rule has decided.
  decided_by_id bigint references user_account,
  decided_by text,
  decided_at timestamptz,
  decision text check (length(decision) between 1 and 200),
  -- Of a rule: which, with its figures and what it left of the day's budget.
  trace jsonb,
  -- What a provider said that could not do it.
  words text check (length(words) <= 200),
  arrived_at timestamptz,
  updated_at timestamptz not null default now(),
  foreign key (member_id, organise_id) references member (id, organise_id),
  foreign key (agent_id, organise_id) references agent (id, organise_id),
  foreign key (site_id, organise_id) references site (id, organise_id),
  constraint refund_order_two_people check (decided_by_id <> created_by_id),
  check (paid_fen + gift_fen = amount_fen),
  check (electricity_fen + service_fen + occupancy_fen = amount_fen),
  check ((status > 1) = (decided_at is not null and decided_by is not null)),
  check (decided_at is null or (decided_by_id is null) = (kind <> 2)),
  check ((kind = 1) = (trace is not null)),
  check (status <> 3 or decision is not null),
  check ((status = 4) = (arrived_at is not null))
);
create index refund_order_list on refund_order (organise_id, id desc) include (agent_id, site_id);
create index refund_order_agent on refund_order (organise_id, agent_id, id desc) include (site_id);
create index refund_order_site on refund_order (organise_id, site_id, id desc) include (agent_id);
create index refund_order_waiting on refund_order (organise_id, id) where status = 1;
create index refund_order_order on refund_order (order_id);
create index refund_order_member on refund_order (member_id, id desc) where member_id is not null;
call app.secure_tenant_table('refund_order');
call app.audit_table('refund_order');
create trigger touch before update on refund_order for each row when (old.* is distinct from new.*) execute function app.touch();
create trigger keep_refund before update on refund_order for each row
  when ((old.organise_id, old.order_id, old.member_id, old.way, old.amount_fen, old.paid_fen, old.gift_fen, old.electricity_fen, old.service_fen,
      old.occupancy_fen, old.reason, old.created_by_id, old.created_at)
    is distinct from (new.organise_id, new.order_id, new.member_id, new.way, new.amount_fen, new.paid_fen, new.gift_fen, new.electricity_fen, new.service_fen,
      new.occupancy_fen, new.reason, new.created_by_id, new.created_at)
    or old.kind <> new.kind and old.status <> 1
    or old.status <> new.status and not (old.status = 1 or old.status = 2 and new.status = 4)
    or old.decided_at is not null and (old.decided_by_id, old.decided_at) is distinct from (new.decided_by_id, new.decided_at))
  execute function app.keep_refund();

-- Small refunds of suspect orders that a rule approves by itself, as long as the day's budget lasts. Locked by who spends.
create table refund_policy (
  organise_id bigint primary key references organise,
  enabled boolean not null default false,
  max_fen bigint not null check (max_fen between 1 and 999999999),
  day_fen bigint not null check (day_fen between 1 and 999999999),
  -- What was spent on that day.
  spent_on date,
  spent_fen bigint not null default 0 check (spent_fen >= 0),
  -- Who set it: what they ask for themselves is decided by people.
  updated_by_id bigint not null references user_account,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  check (max_fen <= day_fen)
);
alter table refund_policy enable row level security;
alter table refund_policy force row level security;
create policy tenant on refund_policy
  using (case (select app.scope_level()) when 0 then true else organise_id = (select app.organise_id()) end);
call app.audit_table('refund_policy');

-- Money of a recharge that goes back by the way it came: three people, or the member and two.
create table recharge_refund (
  id bigint primary key default app.pay_id(),
  organise_id bigint not null references organise,
  agent_id bigint,
  site_id bigint,
  recharge_id bigint not null references recharge_order,
  pay_order_id bigint not null,
  provider smallint not null,
  member_id bigint not null,
  -- What leaves the wallet; of it the payer gets back what remains when the gift that is spent already is taken off.
  amount_fen bigint not null check (amount_fen between 1 and 999999999),
  payout_fen bigint not null check (payout_fen >= 1),
  -- Taken back of the gift: from the gift wallet, and where that is empty from the payout.
  gift_fen bigint not null check (gift_fen >= 0),
  gift_spent_fen bigint not null check (gift_spent_fen >= 0),
  reason text not null check (length(reason) between 1 and 200),
  status text not null default 'AUDITING'
    check (status in ('AUDITING', 'APPROVALING', 'APPROVALING_FINISH', 'FINISH', 'AUDIT_FAILED', 'APPROVAL_FAILED', 'AUDIT_CANCEL')),
  -- Nobody of ours where the member asked.
  created_by_id bigint references user_account,
  created_by text not null,
  created_at timestamptz not null default now(),
  audited_by_id bigint references user_account,
  audited_by text,
  audited_at timestamptz,
  approved_by_id bigint references user_account,
  approved_by text,
  approved_at timestamptz,
  -- Why it was declined.
  decision text check (length(decision) between 1 and 200),
  -- The newest attempt at the provider, and whether a person has to see to it.
  pay_refund_id bigint,
  stuck boolean not null default false,
  words text check (length(words) <= 200),
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  foreign key (member_id, organise_id) references member (id, organise_id),
  constraint recharge_refund_three_people check (audited_by_id <> created_by_id and approved_by_id <> created_by_id and approved_by_id <> audited_by_id),
  check (payout_fen + gift_spent_fen = amount_fen),
  check ((audited_at is null) = (audited_by_id is null) and (approved_at is null) = (approved_by_id is null)),
  check (status <> 'APPROVALING' or audited_by_id is not null),
  check (status not in ('APPROVALING_FINISH', 'FINISH') or audited_by_id is not null and approved_by_id is not null),
  check (status not in ('AUDIT_FAILED', 'APPROVAL_FAILED') or decision is not null),
  check ((status in ('FINISH', 'AUDIT_FAILED', 'APPROVAL_FAILED', 'AUDIT_CANCEL')) = (finished_at is not null)),
  check (not stuck or status = 'APPROVALING_FINISH')
);
create index recharge_refund_list on recharge_refund (organise_id, id desc) include (agent_id, site_id);
create index recharge_refund_agent on recharge_refund (organise_id, agent_id, id desc) include (site_id);
create index recharge_refund_site on recharge_refund (organise_id, site_id, id desc) include (agent_id);
create index recharge_refund_open on recharge_refund (organise_id, status, id) where finished_at is null;
create index recharge_refund_recharge on recharge_refund (recharge_id);
create index recharge_refund_member on recharge_refund (member_id, id desc);
call app.secure_tenant_table('recharge_refund');
call app.audit_table('recharge_refund');
create trigger touch before update on recharge_refund for each row when (old.* is distinct from new.*) execute function app.touch();
-- The steps of a refund that three people make, whatever it is a refund of.
create function app.refund_step(was text, becomes text) returns boolean language sql immutable as $$
  select case was when 'AUDITING' then becomes in ('APPROVALING', 'AUDIT_FAILED', 'AUDIT_CANCEL')
    when 'APPROVALING' then becomes in ('APPROVALING_FINISH', 'APPROVAL_FAILED', 'AUDIT_CANCEL')
    when 'APPROVALING_FINISH' then becomes in ('FINISH', 'AUDIT_CANCEL') else false end
$$;
create trigger keep_refund before update on recharge_refund for each row
  when ((old.organise_id, old.recharge_id, old.pay_order_id, old.member_id, old.amount_fen, old.payout_fen, old.gift_fen, old.gift_spent_fen, old.reason,
      old.created_by_id, old.created_at)
    is distinct from (new.organise_id, new.recharge_id, new.pay_order_id, new.member_id, new.amount_fen, new.payout_fen, new.gift_fen, new.gift_spent_fen, new.reason,
      new.created_by_id, new.created_at)
    or old.status <> new.status and not app.refund_step(old.status, new.status)
    or old.audited_by_id <> new.audited_by_id or old.approved_by_id <> new.approved_by_id)
  execute function app.keep_refund();

-- Money of a company's wallet, paid to its bank account by hand: three people, and a voucher.
create table enterprise_refund (
  id bigint primary key default app.pay_id(),
  organise_id bigint not null references organise,
  agent_id bigint,
  site_id bigint,
  member_id bigint not null,
  company text not null check (length(company) between 1 and 60),
  taxpayer_no text check (taxpayer_no ~ '^[0-9A-Z]{15,20}$'),
  amount_fen bigint not null check (amount_fen between 1 and 999999999),
  payee text not null check (length(payee) between 1 and 60),
  -- The number is sealed; lists show how it begins and ends.
  account_sealed text not null,
  account_shown text not null check (account_shown ~ '^(\d{4}\*{4}\d{4}|\*{8})$'),
  bank text not null check (length(bank) between 1 and 60),
  reason text not null check (length(reason) between 1 and 200),
  status text not null default 'AUDITING'
    check (status in ('AUDITING', 'APPROVALING', 'APPROVALING_FINISH', 'FINISH', 'AUDIT_FAILED', 'APPROVAL_FAILED', 'AUDIT_CANCEL')),
  created_by_id bigint not null references user_account,
  created_by text not null,
  created_at timestamptz not null default now(),
  audited_by_id bigint references user_account,
  audited_by text,
  audited_at timestamptz,
  approved_by_id bigint references user_account,
  approved_by text,
  approved_at timestamptz,
  decision text check (length(decision) between 1 and 200),
  voucher_id bigint,
  paid_by_id bigint references user_account,
  paid_by text,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  foreign key (member_id, organise_id) references member (id, organise_id),
  foreign key (voucher_id, organise_id) references stored_file (id, organise_id),
  constraint enterprise_refund_three_people check (audited_by_id <> created_by_id and approved_by_id <> created_by_id and approved_by_id <> audited_by_id
    and paid_by_id <> created_by_id),
  check ((audited_at is null) = (audited_by_id is null) and (approved_at is null) = (approved_by_id is null)),
  check (status <> 'APPROVALING' or audited_by_id is not null),
  check (status not in ('APPROVALING_FINISH', 'FINISH') or audited_by_id is not null and approved_by_id is not null),
  check (status not in ('AUDIT_FAILED', 'APPROVAL_FAILED') or decision is not null),
  check ((status = 'FINISH') = (voucher_id is not null and paid_by_id is not null)),
  check ((status in ('FINISH', 'AUDIT_FAILED', 'APPROVAL_FAILED', 'AUDIT_CANCEL')) = (finished_at is not null))
);
create index enterprise_refund_list on enterprise_refund (organise_id, id desc) include (agent_id, site_id);
create index enterprise_refund_open on enterprise_refund (organise_id, status, id) where finished_at is null;
create index enterprise_refund_member on enterprise_refund (member_id, id desc);
create index enterprise_refund_voucher on enterprise_refund (voucher_id) where voucher_id is not null;
call app.secure_tenant_table('enterprise_refund');
call app.audit_table('enterprise_refund');
create trigger touch before update on enterprise_refund for each row when (old.* is distinct from new.*) execute function app.touch();
create trigger keep_refund before update on enterprise_refund for each row
  when ((old.organise_id, old.member_id, old.company, old.amount_fen, old.payee, old.account_sealed, old.account_shown, old.bank, old.reason,
      old.created_by_id, old.created_at)
    is distinct from (new.organise_id, new.member_id, new.company, new.amount_fen, new.payee, new.account_sealed, new.account_shown, new.bank, new.reason,
      new.created_by_id, new.created_at)
    or old.status <> new.status and not app.refund_step(old.status, new.status)
    or old.audited_by_id <> new.audited_by_id or old.approved_by_id <> new.approved_by_id)
  execute function app.keep_refund();

grant select, insert, update on refund_order, recharge_refund to wattdeck_api, wattdeck_worker;
grant select, insert, update on refund_policy, enterprise_refund to wattdeck_api;
grant select on refund_policy, enterprise_refund to wattdeck_worker;

-- Down Migration
drop table enterprise_refund, recharge_refund, refund_policy, refund_order;
drop function app.keep_refund, app.refund_step;
create or replace function app.move_member() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  update member_identity set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  update account set agent_id = new.agent_id, site_id = new.site_id
  where organise_id = new.organise_id and kind between 1 and 4 and owner_id = new.id;
  update balance_adjustment set agent_id = new.agent_id, site_id = new.site_id where member_id = new.id;
  return null;
end $$;
