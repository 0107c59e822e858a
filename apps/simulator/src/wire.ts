import type { CommandResultEvent, DeviceAnswer, DeviceCommand, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import type { RefusalName } from '@wattdeck/device-protocol/refusal.ts'

/** Identity of a simulated device. */
export type Identity = {
  adapter: 'dny' | 'mqtt-json' | 'ocpp16' | 'ykc'
  wireId: string
  deviceNo: string
  portCount: number
  iccid: string
  /** OCPP: the charge point's password. */
  password?: string | undefined
}

/** Gateways known to a TCP device. */
export type TcpPlace = { host: string; ports: readonly number[] }

/** Callbacks of a connection. */
export type WireCallbacks = {
  /** The connection is open; the device registers now. */
  onUp: () => void
  onDown: () => void
  /** The platform has committed a record: the device may delete it. */
  onAcked: (key: string) => void
  /** The platform's decision on a card. */
  onCard: (answer: Extract<DeviceAnswer, { kind: 'swipeAnswer' }>) => void
  /** The result of a command, where the protocol makes a device keep it until it is acknowledged. */
  onResult: (result: CommandResultEvent) => void
  /** A command to execute now, already deduplicated by the connection. `answer` is called at most once, maybe later. */
  onCommand: (command: DeviceCommand, answer: (result: Obeyed) => void) => void
}

/** Result of a command, before its encoding in the protocol. */
export type Obeyed = Pick<CommandResultEvent, 'port' | 'orderNo' | 'attributes'> & { refused?: RefusalName | undefined }

/** A device's connection to the platform, in its protocol. */
export type Wire = {
  connect: () => void
  /** The protocol's wait for an acknowledgement after the nth send of a record, counted from 1. */
  resendAfterMs: (times: number) => number
  /** Sends an event; it is lost while there is no connection. */
  send: (event: DeviceEvent) => void
  /** Sends a record. The key matches its acknowledgement; resends and copies are the same record. */
  sendRecord: (key: string, event: DeviceEvent, copies?: number) => void
  /** Sends random bytes. */
  sendGarbage: () => void
  /** Drops the connection and prevents a reconnect for `forMs`. */
  cut: (forMs?: number) => void
  /** Restarts the device: the connection is lost, and the boot count increases where the protocol has one. */
  restart: () => void
  /** Disconnects permanently. */
  end: () => void
}

/** Simulated network cable: connection attempts wait until it is plugged in again. */
export class Cable {
  #backMs = 0

  pull(forMs: number): void {
    this.#backMs = Math.max(this.#backMs, Date.now() + forMs)
  }
  /** Returns whether the cable is plugged in. If not, `open` is called when it is. */
  isThere(open: () => void): boolean {
    const waitMs = this.#backMs - Date.now()
    if (waitMs > 0) setTimeout(open, waitMs).unref()
    return waitMs <= 0
  }
}
