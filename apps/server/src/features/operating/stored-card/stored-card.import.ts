import { text } from '@wattdeck/contract/kit/wire.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { cardStepKind } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { printedNo, readNo } from '@wattdeck/contract/operating/stored-card.ts'
import { chipNo } from '@wattdeck/domain/stored-card.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import {
  type BatchCtx,
  batchKind,
  type ImportField,
  type ImportKind,
  type ImportRow,
  type Verdict,
} from '../../../kit/bulk/batch-kind.ts'
import { checkedRow } from '../../../kit/bulk/imports.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { numberTaken } from './replace-card.ts'
import * as store from './stored-card.store.ts'

const fields: ImportField[] = [
  { key: 'cardNo', title: '卡号', required: true, schema: printedNo, note: '卡面印刷的号码' },
  { key: 'chipNo', title: '物理卡号', required: true, schema: readNo, note: '读卡器读到的号码', personal: 'chipNo' },
  { key: 'organiseName', title: '所属机构', required: false, schema: text(60, '机构'), note: '平台人员必填' },
]

/** Both numbers are unique, among the cards of the organisation and in the sheet. */
async function check({ db, scope, actor }: BatchCtx, rows: readonly ImportRow[]): Promise<Map<number, Verdict>> {
  const all = (key: string) => [...new Set(rows.flatMap(({ values }) => values[key] ?? []))]
  const { rows: organises } = await sql<{ id: string; name: string }>`
    select id, name from organise where name = any(${all('organiseName')}::text[]) and deleted_at is null`.execute(db)
  const { rows: cards } = await sql<{ organiseId: string; cardNo: string; chipNo: string }>`
    select organise_id as "organiseId", card_no as "cardNo", chip_no as "chipNo"
    from stored_card
    where card_no = any(${all('cardNo')}::text[]) or chip_no = any(${all('chipNo').map(chipNo)}::text[])`.execute(db)
  const known = new Set(
    cards.flatMap((card) => [`${card.organiseId} card ${card.cardNo}`, `${card.organiseId} chip ${card.chipNo}`]),
  )
  const seen = new Set<string>()
  const verdictOf = ({ values }: ImportRow): Verdict => {
    const own = scope.level === 0 ? undefined : actor.organiseId
    const named = organises.find(({ name }) => name === values['organiseName'])?.id
    const organiseId = values['organiseName'] === undefined ? own : named
    if (organiseId === undefined)
      return { reason: values['organiseName'] === undefined ? '缺少所属机构' : '所属机构不存在' }
    const numbers = [
      { key: `${organiseId} card ${values['cardNo'] ?? ''}`, what: '卡号' },
      { key: `${organiseId} chip ${chipNo(values['chipNo'] ?? '')}`, what: '物理卡号' },
    ]
    for (const { key, what } of numbers) {
      if (known.has(key)) return { reason: `${what}已存在` }
      if (seen.has(key)) return { reason: `${what}在表格中重复` }
    }
    for (const { key } of numbers) seen.add(key)
    return { resolved: { organiseId } }
  }
  return new Map(rows.map((row) => [row.seq, verdictOf(row)]))
}

const sheet: ImportKind = { fields, labelOf: (values) => values['cardNo'] ?? '', check }

/** Puts cards into the stock. They are issued one by one, and hold no money. */
export const importCards = batchKind({
  kind: 'storedCard.import',
  module: '储值卡管理',
  access: { menu: menuKey.storedCard, action: 'import' },
  list: 'storedCard',
  params: z.object({}),
  apply: async (ctx, _, target) => {
    const { db, actor } = ctx
    const { values, resolved } = await checkedRow(ctx, sheet, target)
    const place = await chosenPlace(db, actor, { organiseId: resolved['organiseId'] })
    const card = {
      card_no: String(values['cardNo']),
      chip_no: chipNo(String(values['chipNo'])),
      member_id: null,
      in_stock: true,
      by: actor.userName,
    }
    const id = await store.addCard(db, place, card)
    if (id === undefined) throw numberTaken()
    const by = { id: actor.userId, name: actor.userName }
    await store.addStep(db, { organiseId: place.organise_id, cardId: id, kind: cardStepKind.code.stocked, by })
  },
  import: sheet,
})
