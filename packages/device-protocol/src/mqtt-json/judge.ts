import type { RefusalName } from '../refusal.ts'
import type { MqttCommand } from './down.ts'

/** What a device keeps in flash. The counter is written before the command is carried out: at most once, not at least. */
export type CommandMemory = { counter: number; id: string | undefined }

/**
 * What a device does with a command: 'run' it after its counter is stored; answer 'again' as it did, because the broker
 * delivered it twice; or refuse it. Without a clock of its own it knows nothing that has not expired, but a clock.
 */
export function judge(sent: MqttCommand, last: CommandMemory, nowS: number | undefined): 'run' | 'again' | RefusalName {
  if (sent.counter === last.counter && sent.id === last.id) return 'again'
  if (sent.counter <= last.counter) return 'oldCounter'
  if (sent.command.kind === 'setClock') return 'run'
  return nowS === undefined || nowS >= sent.expiresAtS ? 'expired' : 'run'
}
