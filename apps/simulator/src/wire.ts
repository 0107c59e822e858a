import type { CommandResultEvent, DeviceAnswer, DeviceCommand, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import type { RefusalName } from '@wattdeck/device-protocol/refusal.ts'

/** Who a device says it is. */
export type Identity = {
  adapter: 'dny' | 'mqtt-json' | 'ocpp16' | 'ykc'
  wireId: string
  deviceNo: string
  portCount: number
  iccid: string
  /** OCPP: by which a charge point proves who it is. */
  password?: string | undefined
}

/** Gateways that a device on TCP knows. */
export type TcpPlace = { host: string; ports: readonly number[] }

/** What a device hears on its line. */
export type Hearing = {
  /** The line stands; a device registers then. */
  onUp: () => void
  onDown: () => void
  /** The platform has a record for good: the device may forget it. */
  onAcked: (key: string) => void
  /** What the platform says of a card that was held to the reader. */
  onCard: (answer: Extract<DeviceAnswer, { kind: 'swipeAnswer' }>) => void
  /** The answer to a command, where the protocol has a device keep it until it is acknowledged. */
  onResult: (result: CommandResultEvent) => void
  /** A command that is to be carried out now: the line has judged that it is new. Answers once, maybe later. */
  onCommand: (command: DeviceCommand, answer: (result: Obeyed) => void) => void
}

/** What a device says to a command; the line puts it into its protocol's words. */
export type Obeyed = Pick<CommandResultEvent, 'port' | 'orderNo' | 'attributes'> & { refused?: RefusalName | undefined }

/** The line of a device to the platform, in its own protocol. */
export type Wire = {
  connect: () => void
  /** How long the protocol lets a device wait for an acknowledgement after it sent a record for the nth time, from 1. */
  resendAfterMs: (times: number) => number
  /** Gone with the line when there is none, as on any network. */
  send: (event: DeviceEvent) => void
  /** With a key by which its acknowledgement is known again; sent again, or in several copies, it is the same record. */
  sendRecord: (key: string, event: DeviceEvent, copies?: number) => void
  /** Bytes that mean nothing. */
  sendGarbage: () => void
  /** As if the cable were pulled, and left out for so long. */
  cut: (forMs?: number) => void
  /** The device starts again: the line is lost, and where the protocol counts starts, it counts one more. */
  restart: () => void
  /** Does not come back. */
  end: () => void
}

/** A cable that somebody has pulled: whoever wants to connect waits until it is back. */
export class Cable {
  #backMs = 0

  pull(forMs: number): void {
    this.#backMs = Math.max(this.#backMs, Date.now() + forMs)
  }
  /** Whether it is there. If not, `open` is called once it is. */
  isThere(open: () => void): boolean {
    const waitMs = this.#backMs - Date.now()
    if (waitMs > 0) setTimeout(open, waitMs).unref()
    return waitMs <= 0
  }
}
