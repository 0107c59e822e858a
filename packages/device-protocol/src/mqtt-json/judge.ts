import type { RefusalName } from '../refusal.ts'
import type { MqttCommand } from './down.ts'

/** A device's command state in flash. The counter is stored before execution: at-most-once semantics. */
export type CommandMemory = { counter: number; id: string | undefined }

/**
 * How a device handles a command: 'run' after its counter is stored; 'again' repeats the stored answer of a redelivery;
 * otherwise a refusal. Without a clock, a device executes only setClock, because it cannot check the expiry.
 */
export function judge(
  incoming: MqttCommand,
  last: CommandMemory,
  nowS: number | undefined,
): 'run' | 'again' | RefusalName {
  if (incoming.counter === last.counter && incoming.id === last.id) return 'again'
  if (incoming.counter <= last.counter) return 'oldCounter'
  if (incoming.command.kind === 'setClock') return 'run'
  return nowS === undefined || nowS >= incoming.expiresAtS ? 'expired' : 'run'
}
