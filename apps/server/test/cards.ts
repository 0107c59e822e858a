import { accountKind, channel } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { chipNo } from '@wattdeck/domain/stored-card.ts'
import type { TestApi } from './api.ts'
import { postLines } from './members.ts'

export type TestCard = { id: string; cardNo: string; chip: string; organiseId: string }
type Wish = { organiseId: string; siteId?: string | null; paidFen?: number; giftFen?: number; memberId?: string | null }

let serial = 0

/** A card with money on it: what was paid at a counter, and what was given on top. Its chip has four bytes. */
export async function makeCard(api: TestApi, wish: Wish): Promise<TestCard> {
  const { organiseId, siteId = null, paidFen = 0, giftFen = 0, memberId = null } = wish
  const number = 0xa000_0000 + (process.pid % 65_536) * 4096 + ++serial
  const [chip, cardNo] = [number.toString(16).slice(-8), String(number).padStart(10, '0')]
  const [card] = await api.sql<{ id: string }>(
    `insert into stored_card (organise_id, agent_id, site_id, card_no, chip_no, member_id)
     values ($1, (select agent_id from site where id = $2), $2, $3, $4, $5) returning id`,
    [organiseId, siteId, cardNo, chipNo(chip), memberId],
  )
  const id = card?.id ?? ''
  if (paidFen > 0)
    await postLines(api, organiseId, 'recharge', [
      ['cardPaid', id, paidFen],
      ['channel', String(channel.code.offline), -paidFen],
    ])
  if (giftFen > 0)
    await postLines(api, organiseId, 'gift', [
      ['cardGift', id, giftFen],
      ['giftCost', '0', -giftFen],
    ])
  return { id, cardNo, chip, organiseId }
}

/** What a card has, in fen. */
export async function cardMoney(api: TestApi, { id }: TestCard) {
  const { cardPaid, cardGift, cardPaidHeld, cardGiftHeld } = accountKind.code
  const rows = await api.sql<{ kind: number; fen: number }>(
    'select kind, balance_fen::int as fen from account where owner_id = $1 and kind between 11 and 14',
    [id],
  )
  const of = (kind: number) => rows.find((row) => row.kind === kind)?.fen ?? 0
  return { paid: of(cardPaid), gift: of(cardGift), held: of(cardPaidHeld) + of(cardGiftHeld) }
}
