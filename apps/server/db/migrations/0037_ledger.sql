-- Up Migration

-- Money, double entry. A posting moves money between accounts of one organisation; its entries add up to nothing. The one
-- way in is app.post: nobody may write these tables, and nobody may change or remove what is written.

-- Positive is what the owner may claim: a member's wallet, a site's income. Where money lies or whence it comes (a payment
-- channel, the cost of gifts, corrections) is negative. So every organisation adds up to zero.
create table account (
  id bigint primary key generated always as identity (start with 1001),
  organise_id bigint not null references organise,
  agent_id bigint,
  site_id bigint,
  -- The codes are in accounting/ledger-codes.ts of the contract.
  kind smallint not null,
  -- A member, a card, a site, an agent, a person; of an organisation's own accounts the channel, or 0.
  owner_id bigint not null,
  -- Accounts that only collect are not updated when money comes in: a row that every order changes makes orders wait for
  -- each other. Their entries are added up later, see app.seal_ledger.
  summed boolean not null,
  balance_fen bigint not null default 0,
  -- How many entries it has.
  seq bigint not null default 0,
  opened_at timestamptz not null default now(),
  unique (organise_id, kind, owner_id),
  constraint account_enough check (balance_fen >= 0),
  check (not summed or (balance_fen = 0 and seq = 0))
) with (fillfactor = 70);
call app.secure_tenant_table('account');

-- A site that moves to another agent takes its accounts along; what was booked stays where it was booked.
create function app.move_accounts() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
begin
  update account set agent_id = new.agent_id where organise_id = new.organise_id and site_id = new.id;
  return null;
end $$;
create trigger move_accounts after update of agent_id on site for each row when (old.agent_id is distinct from new.agent_id) execute function app.move_accounts();
create index account_site on account (site_id) where site_id is not null;

create table posting (
  id bigint not null generated always as identity,
  -- What it is about, said once: 'order/1234/bill'. With the time of that thing, so that it falls into one partition only.
  key text not null check (length(key) between 1 and 100),
  key_at timestamptz not null,
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  kind smallint not null,
  -- The number of the order, recharge or request that people look for.
  ref text not null check (length(ref) <= 64),
  memo text check (length(memo) between 1 and 200),
  posted_by text check (length(posted_by) <= 64),
  input_hash bytea not null,
  digest bytea not null,
  xid xid8 not null,
  posted_at timestamptz not null,
  primary key (key, key_at)
) partition by range (key_at);
create index posting_xid on posting (xid);
call app.secure_tenant_table('posting');
-- Keys carry the time of what they are about; some of it is older than this ledger.
create table posting_other partition of posting default;
select app.ensure_months('posting', 3);

create table entry (
  posting_id bigint not null,
  line smallint not null,
  account_id bigint not null,
  -- Where the account belongs.
  organise_id bigint not null,
  agent_id bigint,
  site_id bigint,
  amount_fen bigint not null check (amount_fen <> 0),
  -- Of the account, after this entry, and which of its entries this is; unknown where entries are added up later.
  balance_fen bigint check (balance_fen >= 0),
  seq bigint,
  -- The transaction, where entries are added up later: those before the edge are in account_day.
  later xid8,
  kind smallint not null,
  ref text not null,
  posted_at timestamptz not null,
  primary key (posting_id, line, posted_at),
  check ((later is null) = (balance_fen is not null) and (later is null) = (seq is not null))
) partition by range (posted_at);
create index entry_account on entry (account_id, posted_at desc, seq desc);
create index entry_later on entry (later) where later is not null;
create index entry_ref on entry (ref, organise_id);
call app.secure_tenant_table('entry');
select app.ensure_months('entry', 3);

create function app.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed: a correction is an opposite posting', tg_table_name;
end $$;
create trigger never_changes before update or delete on posting for each row execute function app.refuse_change();
create trigger never_changes before update or delete on entry for each row execute function app.refuse_change();

create function app.refuse_unbalanced() returns trigger language plpgsql as $$
declare unbalanced bigint;
begin
  select posting_id into unbalanced from added group by posting_id having sum(amount_fen) <> 0 limit 1;
  if unbalanced is not null then raise exception 'posting % does not add up to nothing', unbalanced; end if;
  return null;
end $$;
create trigger balanced after insert on entry referencing new table as added for each statement execute function app.refuse_unbalanced();

-- What a posting says, so that it can be known again; and all that stands of it, so that a change is found.
create function app.posting_input(asked jsonb) returns bytea language sql stable as $$ select sha256(convert_to(asked::text, 'UTF8')) $$;
create function app.posting_digest(id bigint, organise bigint, key text, kind smallint, ref text, memo text, posted_by text, posted_at timestamptz, lines jsonb)
returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(id, organise, key, kind, ref, memo, posted_by, (extract(epoch from posted_at) * 1000000)::bigint, lines)::text, 'UTF8'))
$$;

-- Opens the accounts that are asked for and missing. Whose they are follows from the owner; who has no row has no account.
create procedure app.open_accounts(organises bigint[], kinds smallint[], owners bigint[]) language plpgsql as $$
begin
  insert into account (organise_id, agent_id, site_id, kind, owner_id, summed)
  select asked.organise, coalesce(member.agent_id, site.agent_id, agent.id), coalesce(member.site_id, site.id), asked.kind, asked.owner_id,
    asked.kind in (21, 22, 23, 42, 51, 52, 61, 62)
  from (select distinct organise, kind, owner_id from unnest(organises, kinds, owners) as line (organise, kind, owner_id)) asked
  left join member on asked.kind between 1 and 9 and member.id = asked.owner_id and member.organise_id = asked.organise
  left join site on asked.kind in (21, 22, 23, 33) and site.id = asked.owner_id and site.organise_id = asked.organise
  left join agent on asked.kind = 32 and agent.id = asked.owner_id and agent.organise_id = asked.organise
  where case when asked.kind between 1 and 9 then member.id is not null when asked.kind in (21, 22, 23, 33) then site.id is not null
    when asked.kind = 32 then agent.id is not null else true end
  order by asked.organise, asked.kind, asked.owner_id
  on conflict do nothing;
end $$;

-- Posts one or more postings, all or none, in one round trip. A key that was used for the same posting before answers what
-- it did then; used for another, it is refused. SECURITY DEFINER with the scope of the system, reviewed: a charge moves
-- money between a member and a site that the caller may not see both of; who may ask for it is decided by the caller.
-- asked: [{key, keyAt, organiseId, agentId, siteId, kind, ref, memo, by, lines: [[account kind, owner, fen]]}]
create function app.post(asked jsonb) returns table (posted_key text, posting_id bigint, repeated boolean) language plpgsql
  security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  set app.scope_level = '0' set app.organise_id = '0' set app.agent_ids = '{}' set app.site_ids = '{}' as $$
declare
  -- One element a line.
  nos int[];
  lines int[];
  organises bigint[];
  kinds smallint[];
  owners bigint[];
  amounts bigint[];
  accounts bigint[];
  later_ones boolean[];
  -- One element a posting that is new.
  fresh_nos int[];
  fresh_ids bigint[];
  fresh_kinds smallint[];
  fresh_refs text[];
  moment timestamptz;
  before jsonb;
  known record;
begin
  if jsonb_array_length(asked) not between 1 and 200 then raise exception 'between 1 and 200 postings at once'; end if;
  select array_agg(no), array_agg(line), array_agg(organise), array_agg(kind), array_agg(owner_id), array_agg(fen)
  into nos, lines, organises, kinds, owners, amounts
  from (select p.no, l.line, (p.value ->> 'organiseId')::bigint as organise, (l.value ->> 0)::smallint as kind, (l.value ->> 1)::bigint as owner_id, (l.value ->> 2)::bigint as fen
    from jsonb_array_elements(asked) with ordinality as p (value, no), jsonb_array_elements(p.value -> 'lines') with ordinality as l (value, line)
    order by p.no, l.line) every_line;

  for attempt in 1 .. 2 loop
    select array_agg(id), array_agg(summed) into accounts, later_ones
    from (select account.id, account.summed from unnest(organises, kinds, owners) with ordinality as l (organise, kind, owner_id, i)
      left join account on account.organise_id = l.organise and account.kind = l.kind and account.owner_id = l.owner_id order by i) found_ones;
    exit when array_position(accounts, null) is null;
    if attempt = 2 then raise exception 'no such account in %', asked; end if;
    call app.open_accounts(organises, kinds, owners);
  end loop;

  -- Lock first, then read, then decide: all accounts at once, in one order. Then the keys, in one order, too.
  perform from account where id = any (accounts) and not summed order by id for no key update;
  moment := clock_timestamp();
  with made as (
    insert into posting (id, key, key_at, organise_id, agent_id, site_id, kind, ref, memo, posted_by, input_hash, digest, xid, posted_at)
    overriding system value
    select p.id, p.key, p."keyAt", p."organiseId", p."agentId", p."siteId", p.kind, p.ref, p.memo, p.by, app.posting_input(p.value),
      app.posting_digest(p.id, p."organiseId", p.key, p.kind, p.ref, p.memo, p.by, moment,
        (select jsonb_agg(jsonb_build_array(a, f) order by l) from unnest(nos, lines, accounts, amounts) as own (n, l, a, f) where n = p.no)),
      pg_current_xact_id(), moment
    from (select every_one.*, asked -> (every_one.no - 1)::int as value, nextval('posting_id_seq') as id
      from rows from (jsonb_to_recordset(asked) as (key text, "keyAt" timestamptz, "organiseId" bigint, "agentId" bigint, "siteId" bigint, kind smallint, ref text, memo text, by text))
        with ordinality as every_one (key, "keyAt", "organiseId", "agentId", "siteId", kind, ref, memo, by, no)
      order by every_one.key) p
    on conflict (key, key_at) do nothing
    returning id, key, kind, ref
  )
  select array_agg(p.no), array_agg(made.id), array_agg(made.kind), array_agg(made.ref) into fresh_nos, fresh_ids, fresh_kinds, fresh_refs
  from made join jsonb_array_elements(asked) with ordinality as p (value, no) on p.value ->> 'key' = made.key;

  if fresh_nos is not null then
    with own as materialized (
      select n, l, a, f, s, id, kind, ref from unnest(nos, lines, accounts, amounts, later_ones) as line (n, l, a, f, s)
      join unnest(fresh_nos, fresh_ids, fresh_kinds, fresh_refs) as new (no, id, kind, ref) on new.no = line.n
    ), moved as (
      update account set balance_fen = account.balance_fen + change.fen, seq = account.seq + change.entries
      from (select a, sum(f)::bigint as fen, count(*) as entries from own where not s group by a) change
      where account.id = change.a
      returning account.id, account.balance_fen - change.fen as balance_fen, account.seq - change.entries as seq
    )
    insert into entry (posting_id, line, account_id, organise_id, agent_id, site_id, amount_fen, balance_fen, seq, later, kind, ref, posted_at)
    select own.id, own.l, account.id, account.organise_id, account.agent_id, account.site_id, own.f,
      moved.balance_fen + sum(own.f) over of_account, moved.seq + row_number() over of_account,
      case when own.s then pg_current_xact_id() end, own.kind, own.ref, moment
    from own join account on account.id = own.a left join moved on moved.id = own.a
    window of_account as (partition by own.a order by own.n, own.l);
  end if;
  return query select asked -> (no - 1) ->> 'key', id, false from unnest(fresh_nos, fresh_ids) as new (no, id);

  -- The rest was posted before. One by one: a join would read the whole month.
  for before in select p.value from jsonb_array_elements(asked) with ordinality as p (value, no)
    where coalesce(not p.no = any (fresh_nos), true) loop
    select id, input_hash into strict known from posting where key = before ->> 'key' and key_at = (before ->> 'keyAt')::timestamptz;
    if known.input_hash <> app.posting_input(before) then
      raise exception 'the key % was used for another posting', before ->> 'key' using errcode = 'WD002';
    end if;
    return query select before ->> 'key', known.id, true;
  end loop;
end $$;

revoke all on function app.post, app.posting_input, app.posting_digest from public;
revoke all on procedure app.open_accounts from public;
grant select on account, posting, entry to wattdeck_api, wattdeck_worker;
grant execute on function app.post to wattdeck_api, wattdeck_worker;
grant execute on function app.posting_digest to wattdeck_worker;

-- Down Migration
drop function app.post, app.posting_digest, app.posting_input;
drop procedure app.open_accounts;
drop trigger move_accounts on site;
drop table entry, posting, account;
drop function app.refuse_unbalanced, app.refuse_change, app.move_accounts;
