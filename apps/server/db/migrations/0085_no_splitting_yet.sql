-- Up Migration

-- A payment that declares a split stays frozen at the provider until it is split or unfrozen, and no code does either yet.
-- safe: one row for each merchant number, a handful an organisation.
update pay_merchant set profit_sharing = false where profit_sharing;

-- Down Migration
