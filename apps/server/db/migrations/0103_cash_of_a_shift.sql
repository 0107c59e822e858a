-- Up Migration
-- no transaction

-- The recharges of a shift, and its sum.
create index concurrently if not exists offline_recharge_of_shift on offline_recharge (shift_id, id desc) where shift_id is not null;

-- Down Migration
-- no transaction
drop index concurrently if exists offline_recharge_of_shift;
