-- Up Migration

-- Every start of a charge asks these. PostgreSQL plans the body of an SQL function at each call, behind row security for a
-- millisecond; that of a PL/pgSQL function once a connection.
create or replace function app.version_in_force(asked bigint) returns bigint language plpgsql stable as $$
begin
  return (
    select tariff.version_id from device
    left join site on site.id = device.site_id
    join tariff on tariff.id = coalesce(device.tariff_id, site.tariff_id) and tariff.status = 1
    where device.id = asked
  );
end $$;

create or replace function app.account_balance(asked bigint) returns bigint language plpgsql stable as $$
begin
  return (
    select case when account.summed then
        coalesce((select sum(in_fen - out_fen) from account_day where account_day.account_id = account.id), 0)
        + coalesce((select sum(amount_fen) from entry where later >= (select upto from ledger_edge) and entry.account_id = account.id), 0)
      else account.balance_fen end
    from account where id = asked
  );
end $$;

-- Down Migration
create or replace function app.version_in_force(asked bigint) returns bigint language sql stable as $$
  select tariff.version_id from device
  left join site on site.id = device.site_id
  join tariff on tariff.id = coalesce(device.tariff_id, site.tariff_id) and tariff.status = 1
  where device.id = asked
$$;
create or replace function app.account_balance(asked bigint) returns bigint language sql stable as $$
  select case when account.summed then
      coalesce((select sum(in_fen - out_fen) from account_day where account_day.account_id = account.id), 0)
      + coalesce((select sum(amount_fen) from entry where later >= (select upto from ledger_edge) and entry.account_id = account.id), 0)
    else account.balance_fen end
  from account where id = asked
$$;
