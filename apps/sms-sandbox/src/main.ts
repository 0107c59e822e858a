import { createHmac } from 'node:crypto'
import { buildSandbox } from './sandbox.ts'

const keyId = process.env['SMS_ACCESS_KEY_ID'] ?? 'sandbox'
const secret = process.env['SMS_ACCESS_KEY_SECRET'] ?? 'sandbox-secret'
const demoSeed = process.env['DEMO_TOTP_HEX']

/** The second factor of the demo administrator, so that a developer needs no phone. */
function demoCode(): { label: string; value: string }[] {
  if (demoSeed === undefined) return []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', Buffer.from(demoSeed, 'hex')).update(counter).digest()
  const code = (mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff) % 1_000_000
  return [{ label: '演示管理员的动态口令', value: String(code).padStart(6, '0') }]
}

const app = buildSandbox({ [keyId]: secret }, demoCode)
await app.listen({ port: Number(process.env['SMS_SANDBOX_PORT'] ?? '3010'), host: '127.0.0.1' })
