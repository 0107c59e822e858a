import type pg from 'pg'

/**
 * Multiplies the demo: `scale` times its three organisations, each new one with four agents at three depths, twenty
 * sites in real districts and sixty-seven people. Adds the missing rows, identified by name.
 */
export async function multiplyDemo(client: pg.Client, scale: number): Promise<void> {
  const organises = (scale - 1) * 3
  if (organises < 1) return
  await client.query(`select set_config('app.scope_level', '0', false), set_config('app.organise_id', '0', false),
    set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false)`)
  await client.query(
    `insert into organise (name, short_name, contact, phone, province_code, city_code, created_by)
     select '示例机构' || lpad(n::text, 5, '0'), '示例' || n, '李海', '136' || lpad(n::text, 8, '0'), city.parent_adcode, city.adcode, '周启明'
     from generate_series(1, $1::int) n
     join lateral (select adcode, parent_adcode from region where level = 2 order by adcode offset n % 300 limit 1) city on true
     on conflict do nothing`,
    [organises],
  )
  const ours = "organise.name like '示例机构_____'"
  for (const [depth, name, parent] of [
    [1, '一级代理', null],
    [1, '直营中心', null],
    [2, '二级代理', '一级代理'],
    [3, '三级网点', '二级代理'],
  ] as const) {
    await client.query(
      `insert into agent (organise_id, parent_agent_id, depth, name, contact, phone, share_bp, created_by)
       select organise.id, above.id, $1::int, $2, '王强', '135' || lpad((organise.id * 10 + $1::int)::text, 8, '0'), 4000 - 1000 * $1::int, '李海'
       from organise left join agent above on above.organise_id = organise.id and above.name = $3
       where ${ours} on conflict do nothing`,
      [depth, name, parent],
    )
  }
  await client.query(
    `insert into site (organise_id, agent_id, code, name, type, province_code, city_code, district_code, lng, lat, parking_spaces, capacity_kva, created_by)
     select organise.id, agent.id, 'D' || n, district.name || '充电站' || n, n % 5 + 1, city.parent_adcode, city.adcode, district.adcode,
       district.lng, district.lat, n * 7 % 150, 630, '李海'
     from organise cross join generate_series(1, 20) n
     join agent on agent.organise_id = organise.id and agent.name = (array['一级代理', '直营中心', '二级代理', '三级网点'])[n % 4 + 1]
     join lateral (select adcode, parent_adcode, name, lng, lat from region where level = 3 order by adcode offset (organise.id * 20 + n) % 2800 limit 1) district on true
     join region city on city.adcode = district.parent_adcode
     where ${ours} on conflict do nothing`,
  )
  await client.query(
    `insert into user_account (organise_id, user_type, employee_no, name, login_name, phone, password_hash, created_by)
     select organise.id, 1, 'E' || n, '员工' || n, 'demo' || organise.id || '_' || n, '13' || lpad((400000000 + organise.id * 100 + n)::text, 9, '0'),
       (select password_hash from user_account where login_name = 'green'), '李海'
     from organise cross join generate_series(1, 67) n where ${ours} on conflict do nothing`,
  )
  await client.query('analyze')
  const { rows } = await client.query<{ organises: number; agents: number; sites: number; people: number }>(
    `select (select count(*)::int from organise) as organises, (select count(*)::int from agent) as agents,
       (select count(*)::int from site) as sites, (select count(*)::int from user_account) as people`,
  )
  console.log(`the demo has ${JSON.stringify(rows[0])} now`)
}
