import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type cardSwipe, swipeAnswer, swipeResult } from '@wattdeck/contract/operating/card-swipe.ts'
import { sql } from 'kysely'
import { type Condition, ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import { dayMs, dayStart, messageIdAt } from '../../_shared/message-id.ts'

type Filter = QueryOf<typeof cardSwipe.list>
const { started, checked, refused } = swipeResult.code
const good = sql.lit(swipeAnswer.code.good)

/** The id encodes the time, so days are a range of ids and other partitions are not read. */
const betweenDays = ({ from, to }: Filter): Condition[] => [
  ...ifGiven(from, (day) => sql<boolean>`card_swipe.id >= ${messageIdAt(dayStart(day))}`),
  ...ifGiven(to, (day) => sql<boolean>`card_swipe.id < ${messageIdAt(dayStart(day) + dayMs)}`),
]

const ofCard = (column: 'card_no' | 'member_id') =>
  sql`(select ${sql.ref(`stored_card.${column}`)} from stored_card where stored_card.id = card_swipe.card_id)`
const ofOrder = (column: 'total_fen') =>
  sql`(select ${sql.ref(`charging_order.${column}`)} from charging_order where charging_order.id = card_swipe.order_id)`

export const swipeSource: Source = {
  table: 'card_swipe',
  computed: {
    at: sql`app.message_time(card_swipe.id)`,
    result: sql`case
      when card_swipe.account <> ${good} then ${sql.lit(refused)}
      when card_swipe.order_id is not null then ${sql.lit(started)}
      else ${sql.lit(checked)}
    end`,
    cardNo: ofCard('card_no'),
    memberId: ofCard('member_id'),
    holderName: sql`(app.order_payer(${ofCard('member_id')})).nickname`,
    deviceNo: sql`(select device.device_no from device where device.id = card_swipe.device_id)`,
    orderNo: sql`card_swipe.order_id`,
    total: ofOrder('total_fen'),
  },
  place: async (filter: Filter, reader) => {
    await planByValues(reader.db)
    return [...(await organisePlace('card_swipe')(filter as never, reader)), ...betweenDays(filter)]
  },
  own: ({ cardNo, deviceNo, cardId }: Filter) => [
    ...ifGiven(
      cardNo,
      (no) =>
        sql<boolean>`card_swipe.card_id = any(array(select stored_card.id from stored_card where stored_card.card_no = ${no}))`,
    ),
    ...ifGiven(
      deviceNo,
      (no) =>
        sql<boolean>`card_swipe.device_id = any(array(select device.id from device where device.device_no = ${no}))`,
    ),
    ...ifGiven(cardId, (id) => sql<boolean>`card_swipe.card_id = ${id}`),
  ],
}
