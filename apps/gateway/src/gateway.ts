import type { Logger } from 'pino'
import { connectBus, watchBus } from '@wattdeck/bus/bus.ts'
import { AddressGuard } from './address-guard.ts'
import { watchCertificates } from './certificates.ts'
import { startClockGuard } from './clock-guard.ts'
import type { Config } from './config.ts'
import { Downlink } from './downlink.ts'
import { startDnyServer } from './dny-server.ts'
import { ConnectionClaims } from './connection-claims.ts'
import { leaseNumber, messageNumbers } from './message-numbers.ts'
import { startMqttClient } from './mqtt-client.ts'
import { OcppCharges } from './ocpp-charges.ts'
import { startOcppServer } from './ocpp-server.ts'
import { Registry } from './registry.ts'
import { MessageIntake } from './message-intake.ts'
import { Uplink } from './uplink.ts'
import { startYkcServer } from './ykc-server.ts'

/** Holds device connections and decodes their protocols. It has no database access; events go to the stream. */
export async function startGateway(config: Config, log: Logger, onLost: () => void) {
  const bus = await connectBus(config.natsUrl, config.natsAccess, 'gateway')
  const lease = await leaseNumber(bus, config.prefix, log, onLost)
  const isConnected = watchBus(bus, lease.renew)
  const uplink = new Uplink(bus, config.prefix, lease.number, log)
  const registry = new Registry(bus, config.prefix)
  const nextNumber = messageNumbers(lease.number)
  const { prefix, maxSockets, answerEarly } = config
  let mqtt: ReturnType<typeof startMqttClient> | undefined
  const clock = startClockGuard({
    bus,
    prefix,
    log,
    onWrong: () => {
      downlink.cutAll('clock')
      mqtt?.pause()
    },
    onRight: () => mqtt?.resume(),
  })
  const downlink = new Downlink(({ adapter, wireId }) => registry.forget(adapter, wireId), clock.mayTake)
  const { number: gateway, isLeased } = lease
  const claims = new ConnectionClaims({ bus, prefix, gateway, isLeased, probeMs: config.lineProbeMs })
  const intake = new MessageIntake({
    uplink,
    downlink,
    registry,
    claims,
    nextNumber,
    log,
    mayTake: clock.mayTake,
    answerEarly,
  })
  const guard = new AddressGuard(config.deviceNetworks, config.maxSocketsPerAddress)
  const door = { host: config.host, maxSockets, guard, probeMs: config.lineProbeMs }
  await clock.firstLook
  const dny = await startDnyServer(intake, { ...door, port: config.dnyPort })
  const ykc = await startYkcServer(intake, { ...door, port: config.ykcPort })
  if (config.mqtt.url !== '') mqtt = startMqttClient(intake, { ...config.mqtt, prefix, number: lease.number })
  if (!clock.mayTake()) mqtt?.pause()
  const ocpp = await startOcppServer(intake, new OcppCharges(bus, prefix), ocppPlace(config))
  downlink.listen(bus, prefix, lease.number)
  const certificates = watchCertificates({ ocpp: config.ocppTls.cert, mqtt: config.mqtt.cert })
  return {
    number: lease.number,
    dnyPort: dny.port,
    ocppPort: ocpp.port,
    ykcPort: ykc.port,
    ready: () => ({
      bus: isConnected(),
      stream: uplink.isStreamReady,
      certificates: certificates.areGood(),
      clock: clock.isReady(),
    }),
    /** Reported with readiness but not part of it: other protocols work without MQTT. */
    beside: () => (mqtt === undefined ? {} : { mqtt: mqtt.isLinked() }),
    /**
     * Disconnects devices, which reconnect to another gateway, and waits until the stream has stored all their
     * messages.
     */
    async stop() {
      clock.stop()
      dny.drain()
      ocpp.drain()
      ykc.drain()
      await mqtt?.drain()
      await uplink.close()
      await mqtt?.end()
      await lease.release()
      await bus.drain()
    },
  }
}

function ocppPlace({ host, maxSockets, ocppPort, ocppTls }: Config) {
  const { port, cert, key, ca } = ocppTls
  if (port !== undefined && (cert === undefined || key === undefined))
    throw new Error('OCPP_TLS_PORT needs OCPP_TLS_CERT and OCPP_TLS_KEY')
  const tls = port === undefined || cert === undefined || key === undefined ? undefined : { port, cert, key, ca }
  return { host, maxSockets, port: ocppPort, tls }
}
