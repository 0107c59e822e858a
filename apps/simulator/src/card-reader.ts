import type { AccountStatusName } from '@wattdeck/device-protocol/account-status.ts'
import type { DeviceAnswer, SwipeEvent } from '@wattdeck/device-protocol/message.ts'

type SwipeAnswer = Extract<DeviceAnswer, { kind: 'swipeAnswer' }>
type Reported = { card: string; port: number | undefined; account: AccountStatusName; balanceFen: number }

/** How the reader says what it read, and how a pile begins that needs no command once the card is good. */
type Hands = { say: (event: SwipeEvent) => void; begin: (port: number, orderNo: string) => void }

/** Reads cards, and remembers what the platform said of them, oldest first. */
export class CardReader {
  readonly #hands: Hands
  readonly heard: Reported[] = []

  constructor(hands: Hands) {
    this.#hands = hands
  }

  /** A card is held to a port; `kind` as the protocol numbers it. */
  swipe(port: number, card: string, kind = 1): void {
    this.#hands.say({ kind: 'swipe', card, port, cardKind: kind, deviceTimeS: Math.floor(Date.now() / 1000) })
  }

  told({ card, port, account: { name }, balanceFen, orderNo }: SwipeAnswer): void {
    this.heard.push({ card, port, account: name, balanceFen })
    if (name === 'good' && port !== undefined && orderNo !== undefined) this.#hands.begin(port, orderNo)
  }
}
