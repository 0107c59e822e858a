-- Up Migration

-- Pages of figures also list who is gone and had figures in the days that are asked for. They are few among many, and must
-- not be looked for among those who are still there.
create index site_gone on site (organise_id, id) include (agent_id) where deleted_at is not null;
create index agent_gone on agent (organise_id, id) where deleted_at is not null;
create index organise_gone on organise (id) where deleted_at is not null;

-- Down Migration
drop index organise_gone, agent_gone, site_gone;
