import { accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { swipeAnswer } from '@wattdeck/contract/operating/card-swipe.ts'
import { cardStepKind } from '@wattdeck/contract/operating/stored-card-codes.ts'
import type pg from 'pg'
import { type DemoCard, putCard } from './demo-cards.ts'

/** What happened to the cards of an organisation: stock, issues, losses, a replacement and one that waits, swipes. */
const { stocked, issued, lost, requested, replaced, cancelled } = cardStepKind.code
const [stockOf, issuedOf] = [14, 24]
const firstId = 5000
const perOrganise = 100

type Person = { id: string; name: string }

/** Cards and people of the organisations must exist. */
export async function addDemoCardLife(client: pg.Client, organises: readonly number[]): Promise<void> {
  for (const organise of organises) {
    const known = await client.query('select from card_step where organise_id = $1 limit 1', [organise])
    const { rows } = await client.query<Person>(
      'select id, name from user_account where organise_id = $1 and deleted_at is null order by id limit 2',
      [organise],
    )
    const [clerk, checker = clerk] = rows
    if (known.rowCount === 1 || clerk === undefined || checker === undefined) continue
    const base = firstId + organise * perOrganise
    for (let nth = 0; nth < stockOf; nth++) await stockCard(client, { organise, id: base + nth, nth }, clerk)
    const cards = Array.from({ length: issuedOf }, (_, nth): DemoCard => ({
      organise,
      id: base + stockOf + nth,
      nth,
      fen: nth % 7 === 6 ? 0 : 2000 + ((nth * 3700) % 18_000),
      status: 0,
    }))
    for (const card of cards) await issueCard(client, card, clerk)
    const [first, second, third, fourth, fifth] = cards.filter(({ fen }) => fen > 0)
    const empty = cards.find(({ fen }) => fen === 0)
    for (const card of [first, second]) if (card !== undefined) await loseCard(client, card, clerk)
    if (third !== undefined && fourth !== undefined) await replaceCard(client, third, fourth, clerk)
    if (fifth !== undefined) await requestReplacement(client, fifth, clerk)
    if (empty !== undefined) await cancelCard(client, empty, clerk)
    await addSwipes(client, organise)
  }
}

async function step(
  client: pg.Client,
  cardId: number,
  kind: number,
  by: Person,
  more: { hours: number; reason?: string; fen?: number },
) {
  await client.query(
    `insert into card_step (organise_id, card_id, kind, reason, moved_fen, by_id, by_name, created_at)
     select organise_id, id, $2, $3, $4, $5, $6, now() - make_interval(hours => $7) from stored_card where id = $1`,
    [cardId, kind, more.reason ?? null, more.fen ?? null, by.id, by.name, more.hours],
  )
}

async function stockCard(client: pg.Client, card: Omit<DemoCard, 'fen' | 'status'>, by: Person): Promise<void> {
  if (!(await putCard(client, { ...card, fen: 0, status: 0 }, true))) return
  await step(client, card.id, stocked, by, { hours: 200 })
}

async function issueCard(client: pg.Client, card: DemoCard, by: Person): Promise<void> {
  if (!(await putCard(client, card))) return
  for (const [kind, days] of [
    [stocked, 6],
    [issued, 0],
  ])
    await client.query(
      `insert into card_step (organise_id, card_id, kind, by_id, by_name, created_at)
       select organise_id, id, $2, $3, $4, issued_at - make_interval(days => $5) from stored_card where id = $1`,
      [card.id, kind, by.id, by.name, days],
    )
}

async function loseCard(client: pg.Client, { id, nth }: DemoCard, by: Person): Promise<void> {
  await client.query('update stored_card set status = 1 where id = $1', [id])
  await step(client, id, lost, by, { hours: 20 + nth, reason: '用户来电，卡片遗失' })
}

async function cancelCard(client: pg.Client, { id }: DemoCard, by: Person): Promise<void> {
  await client.query('update stored_card set status = 2 where id = $1', [id])
  await step(client, id, cancelled, by, { hours: 44, reason: '用户搬离，退卡' })
}

/** The money goes from one card to the next, as an approved request does it. */
async function replaceCard(client: pg.Client, old: DemoCard, next: DemoCard, by: Person): Promise<void> {
  const { cardPaid, cardGift } = accountKind.code
  const { rows } = await client.query<{ kind: number; fen: string }>(
    'select kind, balance_fen as fen from account where organise_id = $1 and owner_id = $2 and kind in ($3, $4) and balance_fen > 0',
    [old.organise, old.id, cardPaid, cardGift],
  )
  const fen = rows.reduce((sum, row) => sum + Number(row.fen), 0)
  await client.query('update stored_card set status = 2, replaced_by_id = $2 where id = $1', [old.id, next.id])
  await client.query('select app.post($1::jsonb)', [
    JSON.stringify([
      {
        key: `demo/card/replaced/${old.id}`,
        keyAt: new Date().toISOString(),
        organiseId: String(old.organise),
        agentId: null,
        siteId: null,
        kind: postingKind.code.cardReplacement,
        ref: String(next.id),
        memo: '补卡',
        by: by.name,
        lines: rows.flatMap((row) => [
          [row.kind, String(old.id), String(-Number(row.fen))],
          [row.kind, String(next.id), row.fen],
        ]),
      },
    ]),
  ])
  await step(client, old.id, requested, by, { hours: 31, reason: '卡片损坏，读不出' })
  await step(client, old.id, replaced, by, { hours: 30, reason: '卡片损坏，读不出', fen })
}

async function requestReplacement(client: pg.Client, { id }: DemoCard, by: Person): Promise<void> {
  const number = 0x05c8_1a00 + (id + 40) * 7919
  await client.query(
    `insert into card_replacement (organise_id, card_id, new_card_no, new_chip_no, reason, created_by_id, created_by, created_at)
     select organise_id, id, $2, $3, '用户遗失，已核对身份证', $4, $5, now() - interval '2 hours' from stored_card where id = $1`,
    [id, String(number).padStart(10, '0'), number.toString(16), by.id, by.name],
  )
  await step(client, id, requested, by, { hours: 2, reason: '用户遗失，已核对身份证' })
}

/** Swipes of nine days that looked at a balance or were refused; swipes that charge come from the devices. */
async function addSwipes(client: pg.Client, organise: number): Promise<void> {
  const { good, notRegistered, tooLittleMoney, frozen } = swipeAnswer.code
  await client.query(
    `insert into card_swipe (id, organise_id, agent_id, site_id, device_id, port_no, swipe_key, card_id, chip_no, account, balance_fen)
     select app.message_id(now() - make_interval(mins => n * 157)) + device.id, device.organise_id, device.agent_id, device.site_id, device.id,
       case when seen.account = $2 then null else 1 + n % 2 end, 'demo:' || n, card.id, coalesce(card.chip_no, to_hex(912559 + n * 7919)), seen.account,
       case when seen.account = $2 then coalesce((select sum(balance_fen) from account where owner_id = card.id and kind in (11, 12)), 0) else 0 end
     from generate_series(1, 80) n
     cross join lateral (select * from device where organise_id = $1 and deleted_at is null and site_id is not null order by id offset n % 5 limit 1) device
     left join lateral (
       select * from stored_card where organise_id = $1 and not in_stock and status < 2 and n % 9 <> 4 order by id offset n % 22 limit 1
     ) card on true
     cross join lateral (
       select case when card.id is null then $3::smallint when card.status = 1 then $5::smallint when n % 6 = 5 then $4::smallint else $2::smallint end as account
     ) seen
     on conflict do nothing`,
    [organise, good, notRegistered, tooLittleMoney, frozen],
  )
}
