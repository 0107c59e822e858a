import { BlockList, isIPv6 } from 'node:net'
import type { LogDetail } from '@wattdeck/contract/system/log.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import type { JsonValue } from '../../../kit/db/db.gen.ts'

const ranges = (list: readonly [string, number][]) => {
  const block = new BlockList()
  for (const [net, prefix] of list) block.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4')
  return block
}
const thisMachine = ranges([
  ['127.0.0.0', 8],
  ['::1', 128],
])
const privateNets = ranges([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
  ['fe80::', 10],
])

/** Where an address belongs. */
export function placeOfAddress(ip: string | null): string {
  if (ip === null || ip === '') return '未知'
  const family = isIPv6(ip) ? 'ipv6' : 'ipv4'
  if (thisMachine.check(ip, family)) return '本机'
  return privateNets.check(ip, family) ? '内网' : '公网'
}

type Side = Record<string, JsonValue>
/** The change that the database trigger records for each row. */
export type StoredChange = { table: string; rowId: string; before: Side; after: Side }

/** The log contains columns, not fields of replies, so the name of a column selects its mask. */
const maskOf: [RegExp, (value: string) => string][] = [
  [/(^|_)phone$/, masks.phone],
  [/(^|_)email$/, masks.email],
  [/(^|_)address$/, () => '***'],
  [/^legal_person$/, masks.name],
  [/(^|_)id_number$/, masks.idNumber],
  [/(^|_)card_no$/, masks.bankCard],
  [/(^|_)plate$/, masks.plate],
  [/(^|_)(open|union)_id$/, masks.openId],
]

function shown(name: string, value: JsonValue | undefined): string | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return maskOf.find(([pattern]) => pattern.test(name))?.[1](text) ?? text
}

export const changesForReading = (changes: readonly StoredChange[]): LogDetail['changes'] =>
  changes.map(({ table, rowId, before, after }) => ({
    table,
    rowId,
    fields: Object.keys({ ...before, ...after }).map((name) => ({
      name,
      before: shown(name, before[name]),
      after: shown(name, after[name]),
    })),
  }))
