import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'

/** Who a device says it is. */
export type Identity = {
  adapter: 'dny' | 'mqtt-json'
  wireId: string
  deviceNo: string
  portCount: number
  iccid: string
}

/** What a device hears on its line. */
export type Hearing = {
  /** The line stands; a device registers then. */
  onUp: () => void
  onDown: () => void
  /** The platform has a record for good: the device may forget it. */
  onAcked: (key: string) => void
}

/** The line of a device to the platform, in its own protocol. */
export type Wire = {
  connect: () => void
  /** How long the protocol lets a device wait for an acknowledgement after it sent a record for the nth time, from 1. */
  resendAfterMs: (times: number) => number
  /** Gone with the line when there is none, as on any network. */
  send: (event: DeviceEvent) => void
  /** With a key by which its acknowledgement is known again; sent again it is the same record. */
  sendRecord: (key: string, event: DeviceEvent) => void
  /** Bytes that mean nothing. */
  sendGarbage: () => void
  /** As if the cable were pulled. */
  cut: () => void
  /** Does not come back. */
  end: () => void
}
