/**
 * What gateways and workers say to each other. Inside one release on a bus of our own, so these are types, not schemas:
 * every byte a device sends is judged before, by packages/device-protocol.
 */

/** How many partitions the devices' messages travel in. A device always travels in the same one. */
export const upPartitions = 4
export const partitionOf = (deviceId: string): number => Number(BigInt(deviceId) % BigInt(upPartitions))

const clean = (prefix: string) => prefix.replaceAll(/\W/g, '_')
export const deviceBus = {
  stream: (prefix: string) => `${clean(prefix)}_device_up`,
  allUp: (prefix: string) => `${prefix}.device.up.*`,
  up: (prefix: string, partition: number) => `${prefix}.device.up.${partition}`,
  consumer: (partition: number) => `ingest-${partition}`,
  /** Which messages a worker has committed, to the gateway that waits with its answer. */
  committed: (prefix: string, gateway: number) => `${prefix}.device.committed.${gateway}`,
  identify: (prefix: string) => `${prefix}.device.identify`,
  /** What is known of a charge that a gateway has not seen begin. */
  charge: (prefix: string) => `${prefix}.device.charge`,
  /** Whether the tariff that a pile has is the one that holds. */
  tariff: (prefix: string) => `${prefix}.device.tariff`,
  /** What becomes of a card that was held to a device. */
  swipe: (prefix: string) => `${prefix}.device.swipe`,
  /** Commands, to the gateway that holds the devices' lines; `any` for devices that are reached through the broker. */
  down: (prefix: string, gateway: number | 'any') => `${prefix}.device.down.${gateway}`,
  /** To every gateway and broker guard: this device is to be forgotten and its line closed. */
  cut: (prefix: string) => `${prefix}.device.cut`,
  /** To a gateway: whether a device that another line claims still answers on its line there. */
  claim: (prefix: string, gateway: number) => `${prefix}.device.claim.${gateway}`,
  /** To every gateway: a line here has a device that proves nothing. */
  held: (prefix: string) => `${prefix}.device.held`,
  /** What a broker guard asks a worker for. */
  revocations: (prefix: string) => `${prefix}.device.revocations`,
}

/**
 * What the gateway itself has to tell of a device; everything else is an event of packages/device-protocol. A session is
 * the number of the message that began it, or one that the device counts in; a later one is larger.
 */
export type ConnectionEvent =
  | { kind: 'connected'; address?: string | undefined; session?: string | undefined }
  | { kind: 'disconnected'; session: string; reason: string }
  /** A line at this address says that it is the device, which answers on another line. It was refused. */
  | { kind: 'contested'; address?: string | undefined }
  /** A command is on the wire; stands in the journal as what the device was told. */
  | { kind: 'command'; commandId: string; command: { kind: string } }
  | { kind: 'commandFailed'; commandId: string; reason: CommandFailure }

/**
 * Why a gateway gives a command up. The first three were never sent; of the others nobody knows whether the device has
 * carried them out.
 */
export type CommandFailure = 'unsupported' | 'expired' | 'absent' | 'lineLost' | 'noAnswer'

/** One message of a device. Short names, because there are many. */
export type UpItem = {
  /** Number of the message: when it came, and which gateway took it. */
  id: string
  /** The device. */
  d: string
  /** Larger is newer. */
  o: string
  /** The device's own counts, for people to read. */
  boot?: number | undefined
  seq?: number | undefined
  /** The event, normalised. */
  e: { kind: string }
  /** As it was on the wire, base64. */
  f?: string | undefined
  /**
   * Names a record that a bill rests on, the same however often it is sent, with the device's own time in seconds.
   * Nameless: it has neither a number nor a time, and another charge may have the same key.
   */
  r?: { key: string; at: number; isNameless?: true } | undefined
}

/** A command on its way to a device. */
export type DownItem = {
  id: string
  /** The device, the protocol it speaks, and what it calls itself there. */
  d: string
  a: string
  w: string
  /** Counts the commands to this device. */
  n: number
  /** When it was given, and from when on it must not be carried out, in seconds. */
  at: number
  exp: number
  /** The command, normalised. */
  c: { kind: string }
}
export type DownEnvelope = { items: DownItem[] }
/** Which of them cannot be sent, because the device is not here. All others are on their way; their end is told as events. */
export type DownAnswer = { absent: string[] }

export type Envelope = { gateway: number; items: UpItem[] }
export type Committed = { ids: string[] }

export type Identity = {
  deviceId: string
  deviceNo: string
  portCount: number
  /** How a charge point has to prove who it is, and the SHA-256 of its password in hex. Undefined: it may not connect. */
  ocppProfile?: OcppProfile | null | undefined
  secretHash?: string | null | undefined
  /** SHA-256 of the certificates that are good now, in hex; of charge points only. */
  certificates?: string[] | null | undefined
  /** The gateway whose line it spoke on last, while it is online. */
  gateway?: number | null | undefined
}
/** OCPP's security profiles: a password; TLS and a password; TLS and a certificate. */
export type OcppProfile = 1 | 2 | 3
export type IdentifyAsk = { adapter: string; wireIds: string[] }
/** In the order of the question; null is nobody we know. */
export type IdentifyAnswer = (Identity | null)[]

/** Refused: the device answers on an older line at another gateway, so the line here loses it. */
export type ClaimAsk = { deviceId: string; isRefused?: true }
export type Held = { deviceId: string; gateway: number; sinceMs: number }
export type ClaimAnswer = { isHeld: boolean }

/** By the number of its transaction, or by its order. */
export type ChargeAsk = { deviceId: string; transactionId?: number | undefined; orderNo?: string | undefined }
/** The event that told of its beginning, when that came, whether its end has come, and the command that let it begin. */
export type ChargeAnswer = {
  started: { kind: string } | null
  startedMs: number | null
  ended: boolean
  ordered: { kind: string } | null
}
/** The number of the tariff that a pile has. */
export type TariffAsk = { deviceId: string; modelNo: number }
export type TariffAnswer = { holds: boolean }

/**
 * A card, once its message is committed. The key is the device's own, the same however often it is sent; `begun` is the
 * order of a charge that the card has begun already.
 */
export type SwipeAsk = {
  id: string
  deviceId: string
  key: string
  swipe: { kind: string; card: string }
  begun?: string | undefined
}
/** In the words of the device protocol's accounts; with an order where one begins. */
export type SwipeAnswer = { account: string; balanceFen: number; orderNo: string | null }

/** The keys of the records that keep its beginning and its end. */
export const startRecord = (transactionId: number): string => `start:${transactionId}`
export const stopRecord = (transactionId: number): string => `stop:${transactionId}`
/** A credential of this device was revoked. Whoever holds its line closes it; it is asked anew who it is. */
export type Cut = { adapter: string; wireId: string; deviceId: string }

/** Of MQTT devices: the signed list of revoked certificates, and which devices have no good one left. */
export type Revocations = {
  /** PEM; null where no authority is configured. */
  crl: string | null
  /** Changes when the list does, and not with each signature. */
  version: string
  barred: string[]
}

/** Message numbers count milliseconds from here, then 12 bits of the gateway and 10 bits of a counter. */
export const messageEpochMs = 1_735_689_600_000

/** Where a device counts its starts and messages itself, by those: later is larger. */
export const countedOrder = (boot: bigint, seq: bigint): string => String((boot << 40n) | seq)
/** The start and the message that `countedOrder` was made of. */
export function deviceCount(order: string): { boot: string; seq: number } {
  const whole = BigInt(order)
  return { boot: String(whole >> 40n), seq: Number(whole & 0xff_ffff_ffffn) }
}

/**
 * Gateways lease a number below this one. Those from here on are taken by replays, whose messages no gateway has taken:
 * nobody waits for their answers.
 */
export const gatewayNumbers = 4080

/** The bucket of their leases. A worker makes it, because a process that may make streams may also redirect messages. */
export const gatewayBucket = {
  name: (prefix: string) => `${clean(prefix)}_gateways`,
  leaseMs: 20_000,
  /** As the client of NATS makes a bucket, without direct reads: those send stored bytes to any subject. */
  config: (prefix: string) => ({
    name: `KV_${clean(prefix)}_gateways`,
    subjects: [`$KV.${clean(prefix)}_gateways.>`],
    max_msgs_per_subject: 1,
    max_age: 20_000 * 1e6,
    storage: 'file' as const,
    discard: 'new' as const,
    allow_rollup_hdrs: true,
    allow_direct: false,
  }),
}
export const replayLanes = 16
