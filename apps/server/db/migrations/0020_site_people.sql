-- Up Migration

-- Whoever works at a site follows it to another agent, also when a batch moves it.
grant update (agent_id) on user_account to wattdeck_worker;

-- Down Migration
revoke update (agent_id) on user_account from wattdeck_worker;
