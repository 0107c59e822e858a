import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { cardRecharge } from '@wattdeck/contract/operating/card-recharge.ts'
import { type RawBuilder, sql } from 'kysely'
import { storedRecharge } from '../../../core/payments/stored-status.ts'
import { type Condition, ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import { dayMs, dayStart, messageIdAt } from '../../_shared/message-id.ts'

type Filter = QueryOf<typeof cardRecharge.list>

/** The id encodes the time, so days are a range of ids. */
const betweenDays = ({ from, to }: Filter): Condition[] => [
  ...ifGiven(from, (day) => sql<boolean>`recharge_order.id >= ${messageIdAt(dayStart(day))}`),
  ...ifGiven(to, (day) => sql<boolean>`recharge_order.id < ${messageIdAt(dayStart(day) + dayMs)}`),
]

/** A column of the request at the desk that the recharge came from. */
const ofDesk = (column: string): RawBuilder<unknown> =>
  sql`(select ${sql.ref(`desk.${column}`)} from offline_recharge desk where desk.recharge_id = recharge_order.id)`

export const cardRechargeSource: Source = {
  table: 'recharge_order',
  where: sql<boolean>`(
    recharge_order.target = ${sql.lit(rechargeTarget.code.card)}
    and recharge_order.status = ${sql.lit(storedRecharge.number.paid)}
  )`,
  computed: {
    serialNo: sql`recharge_order.id::text`,
    cardNo: sql`(select card_no from stored_card where stored_card.id = recharge_order.card_id)`,
    holderName: sql`(app.order_payer(recharge_order.member_id)).nickname`,
    holderPhone: sql`(app.order_payer(recharge_order.member_id)).phone`,
    way: ofDesk('way'),
    bankRef: ofDesk('bank_ref'),
    createdBy: ofDesk('created_by'),
    createdById: ofDesk('created_by_id'),
    decidedBy: ofDesk('decided_by'),
    decidedById: ofDesk('decided_by_id'),
    remark: ofDesk('remark'),
    pictureId: ofDesk('picture_id'),
    requestNo: sql`(
      select 'XC' || lpad(desk.id::text, greatest(8, length(desk.id::text)), '0')
      from offline_recharge desk
      where desk.recharge_id = recharge_order.id
    )`,
  },
  place: async (filter: Filter, reader) => {
    await planByValues(reader.db)
    return [...(await organisePlace('recharge_order')(filter as never, reader)), ...betweenDays(filter)]
  },
  own: ({ cardNo, phone, cardId }: Filter) => [
    ...ifGiven(
      cardNo,
      (no) =>
        sql<boolean>`recharge_order.card_id = any(array(select stored_card.id from stored_card where stored_card.card_no = ${no}))`,
    ),
    ...ifGiven(
      phone,
      (text) =>
        sql<boolean>`recharge_order.member_id = any(array(select member.id from member where member.phone = ${text}))`,
    ),
    ...ifGiven(cardId, (id) => sql<boolean>`recharge_order.card_id = ${id}`),
  ],
}
