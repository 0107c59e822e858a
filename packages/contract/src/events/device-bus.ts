/**
 * Messages between gateways and workers. They stay inside one release on our own bus, so these are types, not schemas.
 * packages/device-protocol validates every byte of a device beforehand.
 */

/** The number of partitions for the messages of devices. A device always uses the same one. */
export const upPartitions = 4
export const partitionOf = (deviceId: string): number => Number(BigInt(deviceId) % BigInt(upPartitions))

const clean = (prefix: string) => prefix.replaceAll(/\W/g, '_')
export const deviceBus = {
  stream: (prefix: string) => `${clean(prefix)}_device_up`,
  allUp: (prefix: string) => `${prefix}.device.up.*`,
  up: (prefix: string, partition: number) => `${prefix}.device.up.${partition}`,
  consumer: (partition: number) => `ingest-${partition}`,
  /** Committed message ids, sent to the gateway that waits to acknowledge them. */
  committed: (prefix: string, gateway: number) => `${prefix}.device.committed.${gateway}`,
  identify: (prefix: string) => `${prefix}.device.identify`,
  /** Queries a charge whose start the gateway has not received. */
  charge: (prefix: string) => `${prefix}.device.charge`,
  /** Checks whether the tariff of a charger is the current one. */
  tariff: (prefix: string) => `${prefix}.device.tariff`,
  /** Requests the decision on a card swipe. */
  swipe: (prefix: string) => `${prefix}.device.swipe`,
  /** Commands, sent to the gateway with the connection of the device; `any` for devices reached through the broker. */
  down: (prefix: string, gateway: number | 'any') => `${prefix}.device.down.${gateway}`,
  /** To every gateway and broker guard: forget this device and close its connection. */
  cut: (prefix: string) => `${prefix}.device.cut`,
  /** To a gateway: whether a device claimed by another connection still answers on the connection there. */
  claim: (prefix: string, gateway: number) => `${prefix}.device.claim.${gateway}`,
  /** To every gateway: a connection here has a device without authentication. */
  held: (prefix: string) => `${prefix}.device.held`,
  /** A broker guard requests the revocations from a worker. */
  revocations: (prefix: string) => `${prefix}.device.revocations`,
}

/**
 * Events of the gateway itself; all other events come from packages/device-protocol. A session is the number of its
 * first message, or a counter of the device; later sessions have larger numbers.
 */
export type ConnectionEvent =
  | { kind: 'connected'; address?: string | undefined; session?: string | undefined }
  | { kind: 'disconnected'; session: string; reason: string }
  /** A second connection at this address claimed to be the device, which still answers on the first. It was refused. */
  | { kind: 'contested'; address?: string | undefined }
  /** A command was sent; the message journal records it. */
  | { kind: 'command'; commandId: string; command: { kind: string } }
  | { kind: 'commandFailed'; commandId: string; reason: CommandFailure }

/**
 * Why a gateway gives up a command. The first three were never sent; for the others it is unknown whether the device
 * executed them.
 */
export type CommandFailure = 'unsupported' | 'expired' | 'absent' | 'lineLost' | 'noAnswer'

/** One message of a device. Field names are short because of the volume. */
export type UpItem = {
  /** Message id: arrival time and receiving gateway. */
  id: string
  /** Device id. */
  d: string
  /** Message order; larger is newer. */
  o: string
  /** Counters of the device, for display. */
  boot?: number | undefined
  seq?: number | undefined
  /** The normalised event. */
  e: { kind: string }
  /** The raw frame, base64. */
  f?: string | undefined
  /**
   * The stable key of a record that a bill depends on, and the device's own time in seconds. A nameless record has
   * neither a number nor a time, and another charge may have the same key.
   */
  r?: { key: string; at: number; isNameless?: true } | undefined
}

/** A command on its way to a device. */
export type DownItem = {
  id: string
  /** Device id, protocol adapter and wire id. */
  d: string
  a: string
  w: string
  /** Sequence number of the commands to this device. */
  n: number
  /** Creation time, and the time after which the command must not be executed, in seconds. */
  at: number
  exp: number
  /** The normalised command. */
  c: { kind: string }
}
export type DownEnvelope = { items: DownItem[] }
/**
 * Commands that cannot be sent because the device is not connected here. The results of all others follow as events.
 */
export type DownAnswer = { absent: string[] }

export type Envelope = { gateway: number; items: UpItem[] }
export type Committed = { ids: string[] }

export type Identity = {
  deviceId: string
  deviceNo: string
  portCount: number
  /**
   * Required OCPP security profile of the charge point, and the SHA-256 of its password in hex. Undefined: it may not
   * connect.
   */
  ocppProfile?: OcppProfile | null | undefined
  secretHash?: string | null | undefined
  /** SHA-256 of the currently valid certificates, in hex; only for charge points. */
  certificates?: string[] | null | undefined
  /** The gateway of its last connection, while it is online. */
  gateway?: number | null | undefined
}
/** OCPP security profiles: a password; TLS and a password; TLS and a certificate. */
export type OcppProfile = 1 | 2 | 3
export type IdentifyRequest = { adapter: string; wireIds: string[] }
/** In the order of the request; null is an unknown device. */
export type IdentifyReply = (Identity | null)[]

/** Refused: the device answers on an older connection at another gateway, so the connection here is closed. */
export type ClaimRequest = { deviceId: string; isRefused?: true }
export type Held = { deviceId: string; gateway: number; sinceMs: number }
export type ClaimReply = { isHeld: boolean }

/** By transaction number or by order. */
export type ChargeRequest = { deviceId: string; transactionId?: number | undefined; orderNo?: string | undefined }
/** The start event and its arrival time, whether the end has arrived, and the command that authorised the charge. */
export type ChargeReply = {
  started: { kind: string } | null
  startedMs: number | null
  ended: boolean
  ordered: { kind: string } | null
}
/** The tariff number reported by the charger. */
export type TariffCheckRequest = { deviceId: string; modelNo: number }
export type TariffCheckReply = { holds: boolean }

/**
 * A card swipe whose message is committed. The device assigns the key, which is stable across retries; `begun` is the
 * order of a charge that the card has already started.
 */
export type SwipeRequest = {
  id: string
  deviceId: string
  key: string
  swipe: { kind: string; card: string }
  begun?: string | undefined
}
/** `account` is a code of the device protocol; orderNo is set when a charge starts. */
export type SwipeReply = { account: string; balanceFen: number; orderNo: string | null }

/** The keys of the records with the start and the end of a charge. */
export const startRecord = (transactionId: number): string => `start:${transactionId}`
export const stopRecord = (transactionId: number): string => `stop:${transactionId}`
/**
 * A credential of this device was revoked. The gateway with its connection closes it; the device must authenticate
 * again.
 */
export type Cut = { adapter: string; wireId: string; deviceId: string }

/** For MQTT devices: the signed revocation list, and the devices without a valid certificate. */
export type Revocations = {
  /** PEM; null when no authority is configured. */
  crl: string | null
  /** Changes with the content of the list, not with each signature. */
  version: string
  barred: string[]
}

/** Message ids consist of the milliseconds since this epoch, 12 bits for the gateway and 10 bits for a counter. */
export const messageEpochMs = 1_735_689_600_000

/** Order by the device's own counters of boots and messages, when it has them: later is larger. */
export const countedOrder = (boot: bigint, seq: bigint): string => String((boot << 40n) | seq)
/** The boot and message counters encoded by `countedOrder`. */
export function deviceCount(order: string): { boot: string; seq: number } {
  const whole = BigInt(order)
  return { boot: String(whole >> 40n), seq: Number(whole & 0xff_ffff_ffffn) }
}

/**
 * Gateways lease a number below this one. Replays use the numbers from here on; their messages have no gateway that
 * waits for an acknowledgement.
 */
export const gatewayNumbers = 4080

/**
 * The bucket of the leases. A worker creates it, because a process that may create streams may also redirect messages.
 */
export const gatewayBucket = {
  name: (prefix: string) => `${clean(prefix)}_gateways`,
  leaseMs: 20_000,
  /** The bucket config of the NATS client without direct reads, which can send stored bytes to any subject. */
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
