import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDeviceCa } from '../../../tools/ops/device-ca.ts'
import { startBroker } from '../../../tools/dev/mosquitto.ts'

/** Starts the real broker with its own CAs, on ports that stay the same across restarts. */
export async function makeBroker(freePort: () => Promise<number>) {
  const folder = mkdtempSync(join(tmpdir(), 'wattdeck-mqtt-'))
  const ca = openDeviceCa(folder)
  const [devicePort, gatewayPort] = [await freePort(), await freePort()]
  const start = () => startBroker({ ca, devicePort, gatewayPort, sysIntervalS: 1 })
  let broker = await start()
  return {
    ca,
    devicePort,
    gatewayPort,
    deviceUrl: `mqtts://127.0.0.1:${devicePort}`,
    gatewayUrl: `mqtts://127.0.0.1:${gatewayPort}`,
    /** Environment of a broker guard. */
    guardEnv: { BROKER_CRL: ca.crlFile, BROKER_PID_FILE: broker.pidFile },
    /** Kills the broker without a shutdown. */
    kill: () => broker.kill(),
    async startAgain() {
      broker = await start()
    },
    async remove() {
      await broker.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
