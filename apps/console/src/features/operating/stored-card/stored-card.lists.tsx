import { cardRechargeList } from '@wattdeck/contract/operating/card-recharge.ts'
import { cardSwipeList } from '@wattdeck/contract/operating/card-swipe.ts'
import { EmbeddedList } from '../../../kit/crud/EmbeddedList.tsx'

/** The drawer of a card omits the columns and filters of the card. */
const omit = ['cardNo', 'phone']
const ofHolder = { cardNo: false, holderName: false } as const

export const CardSwipes = ({ cardId }: { cardId: string }) => (
  <EmbeddedList
    list={cardSwipeList}
    listKey="card-swipes"
    liveKey="cardSwipe"
    columns={{ ...ofHolder, chipNo: false }}
    of={{ cardId }}
    omit={omit}
    whole={{ title: '刷卡记录', path: `/operating/cardSwipe?cardId=${cardId}` }}
  />
)

export const CardRecharges = ({ cardId }: { cardId: string }) => (
  <EmbeddedList
    list={cardRechargeList}
    listKey="card-recharges"
    liveKey="rechargeRecord"
    columns={{ ...ofHolder, holderPhone: false }}
    of={{ cardId }}
    omit={omit}
    whole={{ title: '充值记录', path: `/operating/cardRecharge?cardId=${cardId}` }}
  />
)
