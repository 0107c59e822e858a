import { openDeviceCa } from '../ops/device-ca.ts'
import { startBroker } from './mosquitto.ts'

/** The broker for `npm run dev`. Prints its log when it ends. */
const broker = await startBroker({
  ca: openDeviceCa('.cache/device-ca'),
  devicePort: Number(process.env['MQTT_DEVICE_PORT'] ?? '8883'),
  gatewayPort: Number(process.env['MQTT_GATEWAY_PORT'] ?? '8884'),
})
console.log(`broker for devices on ${broker.devicePort}, for gateways on ${broker.gatewayPort}`)
broker.child.on('exit', () => {
  console.log(broker.output())
  process.exit(1)
})
const stop = () => void broker.stop()
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
