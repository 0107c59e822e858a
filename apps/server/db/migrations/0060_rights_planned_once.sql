-- Up Migration

-- The rights of a person, as in 0008, word for word. A function in SQL is planned at each call, and to plan this one takes
-- several times as long as to run it: it is asked whenever somebody's session is read anew. Here one plan is kept.
create or replace function app.user_rights(person bigint) returns jsonb language plpgsql stable
  set plan_cache_mode = force_generic_plan as $$
begin
  return (
    with recursive roles as (
      select role.* from user_role join role on role.id = user_role.role_id
      where user_role.user_id = person and role.status = 1
    ),
    standing as (
      select coalesce(min(top_level), 9) as top_level, coalesce(bool_or(can_unmask), false) as unmask,
        coalesce(jsonb_agg(distinct code), '[]') as codes
      from roles
    ),
    enabled as (select * from app.live_menus()),
    above as (
      select department.id, department.parent_id, 0 as depth from department
      join user_account on user_account.department_id = department.id where user_account.id = person
      union all
      select department.id, department.parent_id, above.depth + 1 from department join above on department.id = above.parent_id
    ),
    -- The nearest department that has menus at all sets the ceiling.
    ceiling as (
      select menu_id from department_menu where department_id = (
        select above.id from above where exists (select from department_menu given where given.department_id = above.id)
        order by depth limit 1)
    ),
    granted as (
      select enabled.id, enabled.menu_key from enabled, standing
      where enabled.always_visible or standing.top_level = 0
        or (enabled.id in (select role_menu.menu_id from role_menu join roles on roles.id = role_menu.role_id)
          and (not exists (select from ceiling) or enabled.id in (select menu_id from ceiling)))
    ),
    -- Whoever holds a menu holds the directories above it: they lead to it and open nothing by themselves.
    held as (
      select granted.id, granted.menu_key, menu.parent_id from granted join menu on menu.id = granted.id
      union
      select menu.id, menu.menu_key, menu.parent_id from held join menu on menu.id = held.parent_id where menu.kind = 1
    ),
    actions as (
      select distinct granted.menu_key || ':' || resource.action as action
      from granted join resource on resource.menu_id = granted.id and resource.status = 1, standing
      where standing.top_level = 0
        or resource.id in (select role_resource.resource_id from role_resource join roles on roles.id = role_resource.role_id)
    )
    select jsonb_build_object(
      'roleTopLevel', top_level,
      'unmask', unmask or top_level = 0,
      'roleCodes', codes,
      'menuKeys', coalesce((select jsonb_agg(menu_key order by menu_key) from held), '[]'),
      'grants', coalesce((select jsonb_agg(action order by action) from actions), '[]'))
    from standing);
end $$;

-- Down Migration
create or replace function app.user_rights(person bigint) returns jsonb language sql stable as $$
  with recursive roles as (
    select role.* from user_role join role on role.id = user_role.role_id
    where user_role.user_id = person and role.status = 1
  ),
  standing as (
    select coalesce(min(top_level), 9) as top_level, coalesce(bool_or(can_unmask), false) as unmask,
      coalesce(jsonb_agg(distinct code), '[]') as codes
    from roles
  ),
  enabled as (select * from app.live_menus()),
  above as (
    select department.id, department.parent_id, 0 as depth from department
    join user_account on user_account.department_id = department.id where user_account.id = person
    union all
    select department.id, department.parent_id, above.depth + 1 from department join above on department.id = above.parent_id
  ),
  -- The nearest department that has menus at all sets the ceiling.
  ceiling as (
    select menu_id from department_menu where department_id = (
      select above.id from above where exists (select from department_menu given where given.department_id = above.id)
      order by depth limit 1)
  ),
  granted as (
    select enabled.id, enabled.menu_key from enabled, standing
    where enabled.always_visible or standing.top_level = 0
      or (enabled.id in (select role_menu.menu_id from role_menu join roles on roles.id = role_menu.role_id)
        and (not exists (select from ceiling) or enabled.id in (select menu_id from ceiling)))
  ),
  -- Whoever holds a menu holds the directories above it: they lead to it and open nothing by themselves.
  held as (
    select granted.id, granted.menu_key, menu.parent_id from granted join menu on menu.id = granted.id
    union
    select menu.id, menu.menu_key, menu.parent_id from held join menu on menu.id = held.parent_id where menu.kind = 1
  ),
  actions as (
    select distinct granted.menu_key || ':' || resource.action as action
    from granted join resource on resource.menu_id = granted.id and resource.status = 1, standing
    where standing.top_level = 0
      or resource.id in (select role_resource.resource_id from role_resource join roles on roles.id = role_resource.role_id)
  )
  select jsonb_build_object(
    'roleTopLevel', top_level,
    'unmask', unmask or top_level = 0,
    'roleCodes', codes,
    'menuKeys', coalesce((select jsonb_agg(menu_key order by menu_key) from held), '[]'),
    'grants', coalesce((select jsonb_agg(action order by action) from actions), '[]'))
  from standing
$$;
