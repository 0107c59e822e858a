import type { AccountStatusName } from '@wattdeck/device-protocol/account-status.ts'
import type { DeviceAnswer, SwipeEvent } from '@wattdeck/device-protocol/message.ts'

type SwipeAnswer = Extract<DeviceAnswer, { kind: 'swipeAnswer' }>
type Reported = { card: string; port: number | undefined; account: AccountStatusName; balanceFen: number }

/** How the reader reports a swipe, and how a charge starts that needs no command after a good card. */
type Hands = { send: (event: SwipeEvent) => void; begin: (port: number, orderNo: string) => void }

/** Card reader of a device. It records the platform's decisions, oldest first. */
export class CardReader {
  readonly #hands: Hands
  readonly decisions: Reported[] = []

  constructor(hands: Hands) {
    this.#hands = hands
  }

  /** Swipes a card at a port; `kind` is the protocol's number. */
  swipe(port: number, card: string, kind = 1): void {
    this.#hands.send({ kind: 'swipe', card, port, cardKind: kind, deviceTimeS: Math.floor(Date.now() / 1000) })
  }

  recordDecision({ card, port, account: { name }, balanceFen, orderNo }: SwipeAnswer): void {
    this.decisions.push({ card, port, account: name, balanceFen })
    if (name === 'good' && port !== undefined && orderNo !== undefined) this.#hands.begin(port, orderNo)
  }
}
