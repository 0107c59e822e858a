-- Up Migration

-- An agent sees itself and everything below it. Every agent whose parent is in sight is below, so an agent that has just
-- been made is in sight of its maker although their list of agents was read before; and nobody makes one elsewhere.
alter policy tenant on agent using (case (select app.scope_level()) when 0 then true
  when 1 then organise_id = (select app.organise_id())
  when 2 then organise_id = (select app.organise_id())
    and (id = any ((select app.agent_ids())::bigint[]) or parent_agent_id = any ((select app.agent_ids())::bigint[]))
  else false end);

-- Agents that were there before the column. Row security binds the owner, too.
select set_config('app.scope_level', '0', true), set_config('app.organise_id', '0', true),
  set_config('app.agent_ids', '{}', true), set_config('app.site_ids', '{}', true);
with recursive placed as (
  select id, 1 as depth from agent where parent_agent_id is null
  union all
  select agent.id, placed.depth + 1 from agent join placed on agent.parent_agent_id = placed.id
)
update agent set depth = placed.depth from placed where placed.id = agent.id and agent.depth <> placed.depth;

-- Who looks after an organisation or agent belongs to it.
alter table organise add constraint organise_admin foreign key (admin_user_id, id) references user_account (id, organise_id);
alter table agent add constraint agent_admin foreign key (admin_user_id, organise_id) references user_account (id, organise_id);

-- The platform's list of agents, and those at the top of an organisation's tree.
create index agent_recent on agent (id desc) where deleted_at is null;
create index agent_tops on agent (organise_id, id) where parent_agent_id is null and deleted_at is null;

-- Down Migration
drop index agent_tops, agent_recent;
alter table agent drop constraint agent_admin;
alter table organise drop constraint organise_admin;
alter policy tenant on agent using (case (select app.scope_level()) when 0 then true
  when 1 then organise_id = (select app.organise_id())
  when 2 then organise_id = (select app.organise_id()) and id = any ((select app.agent_ids())::bigint[])
  else false end);
