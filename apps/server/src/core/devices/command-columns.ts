import type { DeviceCommandRow } from '@wattdeck/contract/product/device-command.ts'
import { sql } from 'kysely'
import { commandReason } from './command-labels.ts'

const frameOf = (column: 'frame_id' | 'answer_id') =>
  sql<
    string | null
  >`(select encode(frame, 'hex') from device_message where device_message.id = device_command.${sql.raw(column)})`

/** Columns of a command for display, with the frames of the command and its answer. */
export const commandColumns = [
  'device_command.id',
  sql<string>`app.message_time(device_command.id)`.as('at'),
  'device_command.kind',
  'device_command.port_no as portNo',
  sql<Record<string, unknown>>`device_command.content`.as('content'),
  sql<DeviceCommandRow['status']>`device_command.status`.as('status'),
  'device_command.reason',
  sql<Record<string, unknown> | null>`device_command.result`.as('result'),
  'device_command.issued_by as issuedBy',
  'device_command.sent_at as sentAt',
  'device_command.ended_at as endedAt',
  'device_command.expires_at as expiresAt',
  frameOf('frame_id').as('frame'),
  frameOf('answer_id').as('answer'),
] as const
export const commandInWords = <R extends { reason: string | null }>(row: R): R => ({
  ...row,
  reason: commandReason(row.reason),
})
