-- Up Migration

-- The states of orders, commands and downloads move only as the contract's tables of moves say, whichever process writes
-- them: the same lists as in packages/contract, compared by a test. The owner of the database may correct a row by hand.
create function app.refuse_move() returns trigger language plpgsql as $$
begin
  if current_user not in ('wattdeck_api', 'wattdeck_worker') then return new; end if;
  raise exception 'a state of % does not move so', tg_table_name;
end $$;
create procedure app.keep_flow(tbl regclass, col name, moves text[]) language plpgsql as $$
begin
  execute format('create trigger keep_flow before update on %1$s for each row '
    'when (old.%2$I <> new.%2$I and old.%2$I || ''>'' || new.%2$I <> all (%3$L::text[])) execute function app.refuse_move()',
    tbl, col, moves);
end $$;

call app.keep_flow('charging_order', 'status', array['1>2', '1>3', '2>3', '5>3', '1>4', '5>4', '1>5', '2>5', '4>5']);
call app.keep_flow('device_command', 'status', array['1>2', '3>2', '2>1', '1>3', '3>4', '7>4', '3>5', '7>5', '1>6', '2>6', '3>6', '3>7', '1>8', '2>8']);
call app.keep_flow('download', 'status', array['0>1', '1>2', '0>3', '1>3', '3>0', '4>0', '2>4']);

-- Down Migration
drop trigger keep_flow on charging_order;
drop trigger keep_flow on device_command;
drop trigger keep_flow on download;
drop procedure app.keep_flow(regclass, name, text[]);
drop function app.refuse_move();
