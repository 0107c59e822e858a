import type pg from 'pg'

const coupons = [
  { name: '新用户首充立减', kind: 1, off: 200, from: 500, scope: 1, total: 2000, held: 60, status: 2, claimable: true },
  { name: '夜间服务费五折', kind: 2, bp: 5000, most: 300, scope: 2, total: 1000, held: 45, status: 2, claimable: true },
  { name: '暴雨停电补偿 2 度', kind: 4, dwh: 20_000, scope: 1, total: 300, held: 25, status: 2, claimable: false },
  { name: '周年庆免单', kind: 5, most: 1000, scope: 1, total: 100, held: 0, status: 1, claimable: true },
  { name: '开学季 60 分钟', kind: 3, minutes: 60, scope: 1, total: 500, held: 30, status: 4, claimable: true },
]

/** Coupons of the demo brand, with members who hold and used them during the last weeks. The accounts must exist. */
export async function addDemoCoupons(client: pg.Client): Promise<void> {
  for (const [
    at,
    { name, kind, off, from, bp, most, minutes, dwh, scope, total, held, status, claimable },
  ] of coupons.entries()) {
    const { rows } = await client.query<{ id: string }>(
      `insert into coupon (id, organise_id, name, kind, off_fen, from_fen, off_bp, max_fen, free_minutes, free_dwh, scope, funder, total, granted,
         per_member, claimable, stacks, starts_on, ends_on, status, created_by_id, created_by, created_at, decided_by_id, decided_by, decided_at)
       select $1::int, person.organise_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, 2, $11, 0, 1, $12, true,
         date_trunc('month', now())::date - 31, (date_trunc('month', now()) + interval '3 months')::date - 1, $13, person.id, person.name,
         now() - interval '30 days', other.id, other.name, case when other.id is not null then now() - interval '29 days' end
       from user_account person
       left join lateral (
         select id, name from user_account
         where $13 <> 1 and organise_id = person.organise_id and agent_id is null and site_id is null and id <> person.id order by id limit 1
       ) other on true
       where person.login_name = 'green' on conflict do nothing returning id`,
      [
        at + 1,
        name,
        kind,
        off ?? null,
        off === undefined ? null : (from ?? 0),
        bp ?? null,
        most ?? null,
        minutes ?? null,
        dwh ?? null,
        scope,
        total,
        claimable,
        status,
      ],
    )
    if (rows.length === 0 || held === 0) continue
    const terms = {
      scope: scope === 2 ? 'service' : 'charge',
      off: { by: 'amount', offFen: off ?? 100, fromFen: from ?? 0 },
    }
    await client.query(
      `with chosen as (
         select id, row_number() over (order by id) as n from member
         where organise_id = (select organise_id from coupon where id = $1) order by id limit $2
       ), given as (
         insert into coupon_grant (organise_id, coupon_id, member_id, name, terms, funder, valid_from, valid_until, source, granted_at)
         select coupon.organise_id, coupon.id, chosen.id, coupon.name, $3, coupon.funder, coupon.starts_on, coupon.ends_on, 2,
           now() - make_interval(hours => (chosen.n * 11)::int)
         from chosen, coupon where coupon.id = $1 returning 1
       )
       update coupon set granted = (select count(*) from given) where id = $1`,
      [rows[0]?.id, held, JSON.stringify(terms)],
    )
  }
}
