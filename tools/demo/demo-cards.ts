import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type pg from 'pg'

/** Cards bought at a counter of the demo's sites, with their balances in the ledger. */
const organises = [2, 3, 4]
/** One of each is lost, one cancelled and empty; a third of them have no member. */
const cards = [
  { fen: 10_000, status: 0 },
  { fen: 5000, status: 0 },
  { fen: 2000, status: 0 },
  { fen: 20_000, status: 0 },
  { fen: 3000, status: 1 },
  { fen: 0, status: 2 },
]

/** `nth` selects site and holder. */
export type DemoCard = { id: number; organise: number; fen: number; status: number; nth: number }

/** Adds the missing cards, identified by number. */
export async function addDemoCards(client: pg.Client): Promise<void> {
  const all = organises.flatMap((organise, at) =>
    cards.map((card, nth): DemoCard => ({ ...card, organise, nth, id: at * cards.length + nth + 1 })),
  )
  for (const card of all) await putCard(client, card)
}

/** Adds a card with its money, unless it exists. */
export async function putCard(client: pg.Client, card: DemoCard, inStock = false): Promise<boolean> {
  if (!(await addCard(client, card, inStock))) return false
  await payIn(client, card)
  return true
}

async function addCard(client: pg.Client, { id, organise, status, nth }: DemoCard, inStock: boolean): Promise<boolean> {
  const number = 0x04c8_1a00 + id * 7919
  const added = await client.query(
    `insert into stored_card (id, organise_id, agent_id, site_id, card_no, chip_no, member_id, status, issued_at, created_by, in_stock)
     select $1, $2, site.agent_id, site.id, $3, $4, case when $5::int % 3 <> 2 and not $7 then (select id from member where organise_id = $2 order by id offset $5 limit 1) end,
       $6, now() - make_interval(days => 20 + $5::int % 7 * 9), '周启明', $7
     from site where site.organise_id = $2 and site.id < 1000 and site.deleted_at is null order by site.id offset $5::int % 2 limit 1 on conflict do nothing`,
    [id, organise, String(number).padStart(10, '0'), number.toString(16), nth, status, inStock],
  )
  return added.rowCount === 1
}

/** Cash at the counter, with a gift of a tenth from fifty yuan on. */
async function payIn(client: pg.Client, { id, organise, fen }: DemoCard): Promise<void> {
  if (fen === 0) return
  const { cardPaid, cardGift, giftCost, channel: through } = accountKind.code
  const posting = (kind: 'recharge' | 'gift', lines: [number, string, number][]) => ({
    key: `demo/card/${kind}/${id}`,
    keyAt: new Date().toISOString(),
    organiseId: String(organise),
    agentId: null,
    siteId: null,
    kind: postingKind.code[kind],
    ref: `CZK${String(id).padStart(6, '0')}`,
    memo: null,
    by: null,
    lines: lines.map(([account, owner, amount]) => [account, owner, String(amount)]),
  })
  const recharge = posting('recharge', [
    [cardPaid, String(id), fen],
    [through, String(channel.code.offline), -fen],
  ])
  const gift = posting('gift', [
    [cardGift, String(id), fen / 10],
    [giftCost, '0', -fen / 10],
  ])
  await client.query('select app.post($1::jsonb)', [JSON.stringify(fen < 5000 ? [recharge] : [recharge, gift])])
}
