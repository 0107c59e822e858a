import { authWay, importedKey } from '@wattdeck/contract/product/device-auth.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { deviceNumber } from '@wattdeck/contract/product/device-manage.ts'
import { z } from 'zod'
import {
  type BatchCtx,
  batchKind,
  type ImportField,
  type ImportKind,
  type ImportRow,
  type Verdict,
} from '../../../kit/bulk/batch-kind.ts'
import { checkedRow } from '../../../kit/bulk/imports.ts'
import { conflict } from '../../../kit/http/refusal.ts'
import { passwordHash } from './device-auth.issue.ts'
import * as store from './device-auth.store.ts'

const yesNo: Record<string, string> = { 是: 'true', 否: 'false' }

const fields: ImportField[] = [
  { key: 'deviceNo', title: '设备编号', required: true, schema: deviceNumber },
  {
    key: 'key',
    title: '密钥',
    required: true,
    note: '厂家写入设备的口令，16-40位',
    // An invalid key is replaced, so that it is not stored and the schema refuses the row.
    seal: (text) => (importedKey.test(text) ? passwordHash(text) : '-'),
    schema: z.string().regex(/^[0-9a-f]{64}$/, '应为16-40位字母、数字或符号'),
  },
  {
    key: 'plain',
    title: '允许不加密连接',
    required: false,
    note: '填“是”或“否”，留空为否',
    read: (text) => yesNo[text] ?? text,
    schema: z.enum(['true', 'false'], '请填“是”或“否”').transform((text) => text === 'true'),
  },
]

/** Why a device cannot receive this key; undefined when it can. */
function problemOf(device: store.KeyHolder | undefined, plain: boolean): string | undefined {
  if (device === undefined) return '设备不存在'
  if (device.adapter !== 'ocpp16') return '设备的协议不使用口令'
  if (device.has_password) return '设备已有有效口令，请先吊销'
  return plain && (device.ocpp_profile ?? 1) > 1 ? '设备已要求 TLS 连接，不能改为不加密连接' : undefined
}

async function check({ db }: BatchCtx, rows: readonly ImportRow[]): Promise<Map<number, Verdict>> {
  const holders = await store.keyHolders(
    db,
    rows.map(({ values }) => values['deviceNo'] ?? ''),
  )
  const devices = new Map(holders.map((device) => [device.device_no, device]))
  const [numbers, keys] = [new Set<string>(), new Set<string>()]
  const verdictOf = ({ values: { deviceNo = '', key = '', plain = '' } }: ImportRow): Verdict => {
    const problem = problemOf(devices.get(deviceNo), yesNo[plain] === 'true')
    if (problem !== undefined) return { reason: problem }
    if (numbers.has(deviceNo)) return { reason: '设备编号在表格中重复' }
    // Each device has its own key, so that a leaked key opens no other device.
    if (keys.has(key)) return { reason: '密钥与表格中另一台设备相同' }
    numbers.add(deviceNo)
    keys.add(key)
    return { resolved: { deviceId: devices.get(deviceNo)?.id } }
  }
  return new Map(rows.map((row) => [row.seq, verdictOf(row)]))
}

const sheet: ImportKind = { fields, labelOf: (values) => values['deviceNo'] ?? '', check }
type Parsed = { deviceNo: string; key: string; plain?: boolean }

/** Keys that manufacturers have written into devices. They are stored as hashes, like generated passwords. */
export const importKeys = batchKind({
  kind: 'deviceAuth.import',
  module: '设备认证',
  access: { menu: menuKey.deviceAuth, action: 'import' },
  list: 'deviceAuth',
  params: z.object({}),
  apply: async (ctx, _, target) => {
    const { db, actor } = ctx
    const { values } = await checkedRow(ctx, sheet, target)
    const { deviceNo, key, plain = false } = values as Parsed
    const [device] = await store.lockDevices(db, [deviceNo])
    // Checked again: the device may have been removed, or received a password, after the sheet was checked.
    const [holder] = await store.keyHolders(db, [deviceNo])
    const problem = problemOf(device === undefined ? undefined : holder, plain)
    if (device === undefined || problem !== undefined) throw conflict(problem ?? '设备不存在')
    const credential = { device, batchNo: `KI-${target.job_id}`, by: actor.userName, way: authWay.code.own, hash: key }
    await store.addPassword(db, credential)
    await store.setOcppAccess(db, device.id, key, plain ? 1 : 2)
  },
  import: sheet,
})
