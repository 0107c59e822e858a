import type { IncomingMessage } from 'node:http'
import type { Bills } from './bills.ts'
import type { FaultBook } from './faults.ts'
import type { MerchantBook } from './merchants.ts'
import type { Notices } from './notices.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { PaySimulator } from './pay-simulator.ts'

/** State of the sandbox. */
export type SandboxState = {
  simulator: PaySimulator
  merchants: MerchantBook
  keys: ProviderKeys
  faults: FaultBook
  notices: Notices
  bills: Bills
  /** Base URL of the sandbox. */
  url: string
}
export type Request = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
export type Reply = { status: number; headers: Record<string, string>; body: string | Buffer }
