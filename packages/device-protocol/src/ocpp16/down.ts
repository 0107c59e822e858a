import type { AttributeValues, CommandResultEvent, DeviceCommand } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import { refusal } from '../refusal.ts'
import { type ConfirmationOf, confirmed, type PlatformCall } from './calls.ts'
import { booleanKeys, identifierOf, keyOf } from './configuration.ts'

/** Maps commands to calls for a charge point, and interprets its answers. */

const maxOrderLength = 20

/**
 * The calls of a command, in order. A charge is stopped by its transaction number, which the caller looks up. OCPP 1.6
 * cannot end a charge by time or energy, so the caller must stop a charge with a limit.
 */
export function callsFor(command: DeviceCommand, transactionId?: number): Outcome<PlatformCall[]> {
  switch (command.kind) {
    case 'restart':
      return done([{ action: 'Reset', payload: { type: command.force === true ? 'Hard' : 'Soft' } }])
    case 'stop':
      return done([{ action: 'ChangeAvailability', payload: { connectorId: 0, type: 'Inoperative' } }])
    case 'restore':
      return done([{ action: 'ChangeAvailability', payload: { connectorId: 0, type: 'Operative' } }])
    case 'startPort': {
      const { port, orderNo: idTag } = command
      if (!/^[!-~]+$/.test(idTag) || idTag.length > maxOrderLength) return refused('the order number does not fit')
      const where = port === 'auto' ? {} : { connectorId: port }
      return done([{ action: 'RemoteStartTransaction', payload: { ...where, idTag } }])
    }
    case 'stopPort':
      return transactionId === undefined
        ? refused('the charge is not known')
        : done([{ action: 'RemoteStopTransaction', payload: { transactionId } }])
    case 'query':
      return done([
        { action: 'TriggerMessage', payload: { requestedMessage: 'BootNotification' } },
        { action: 'TriggerMessage', payload: { requestedMessage: 'StatusNotification' } },
      ])
    case 'readAttributes':
      return done([{ action: 'GetConfiguration', payload: { key: command.identifiers.map(keyOf) } }])
    case 'writeAttributes':
      return done(
        Object.entries(command.values).map(([identifier, value]) => ({
          action: 'ChangeConfiguration',
          payload: { key: keyOf(identifier), value: written(identifier, value) },
        })),
      )
    case 'setClock':
      return refused('a charge point takes the time from its heartbeats')
    case 'changePort':
    case 'setTariff':
    default:
      return refused(`OCPP has no call to ${command.kind}`)
  }
}
const written = (identifier: string, value: number): string =>
  booleanKeys.has(keyOf(identifier)) ? String(value !== 0) : String(value)

/** Part of a command's result: a command may need several calls. */
export type CallResult = Pick<CommandResultEvent, 'ok' | 'carriedOut' | 'refusal' | 'attributes' | 'restartNeeded'>
const good: CallResult = { ok: true, carriedOut: true }
export const refusedBy = (word: string): CallResult => ({
  ok: false,
  carriedOut: false,
  refusal: refusal.read('ocpp16', word.slice(0, 50)),
})

/** 'Scheduled': takes effect when the running charge ends. */
const goodWords: ReadonlySet<string> = new Set(['Accepted', 'Scheduled', 'RebootRequired', 'Unlocked'])

/** Interprets a charge point's answer to a call. */
export function resultOf({ action }: PlatformCall, payload: unknown): CallResult {
  const answer = confirmed(action, payload)
  if (!answer.ok) return refusedBy(answer.code)
  if (action === 'GetConfiguration')
    return { ...good, attributes: attributesOf(answer.value as ConfirmationOf<'GetConfiguration'>) }
  const { status } = answer.value as { status?: string }
  if (status === undefined || goodWords.has(status))
    return status === 'RebootRequired' ? { ...good, restartNeeded: true } : good
  return refusedBy(status)
}

/** Attributes are numbers; keys with other values are ignored. */
function attributesOf({ configurationKey = [] }: ConfirmationOf<'GetConfiguration'>): AttributeValues {
  const numbers = configurationKey.flatMap(({ key, value = '' }): [string, number][] => {
    const word = value.trim().toLowerCase()
    const number = word === 'true' ? 1 : word === 'false' ? 0 : word === '' ? Number.NaN : Number(word)
    return Number.isSafeInteger(number) ? [[identifierOf(key), number]] : []
  })
  return Object.fromEntries(numbers)
}
