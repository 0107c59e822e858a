import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { text } from '@wattdeck/contract/kit/wire.ts'
import { deviceFields, deviceNumber } from '@wattdeck/contract/product/device-manage.ts'
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
import { chosenPlace } from '../../_shared/place.store.ts'
import { columnsOf } from './device-manage.rules.ts'
import * as store from './device-manage.store.ts'

const optional = { required: false } as const
const fields: ImportField[] = [
  { key: 'deviceNo', title: '设备编号', required: true, schema: deviceNumber },
  { key: 'name', title: '设备名称', required: true, schema: deviceFields.name },
  {
    key: 'typeCode',
    title: '型号编码',
    required: true,
    schema: z.string().regex(/^\d{2}-\d{2}-\d{2}$/, '请输入正确的型号编码，如 02-02-02'),
    note: '如 02-02-02',
  },
  { key: 'organiseName', title: '所属机构', ...optional, schema: text(60, '机构'), note: '平台人员必填' },
  { key: 'agentName', title: '所属代理商', ...optional, schema: text(60, '代理商') },
  { key: 'siteName', title: '所属站点', ...optional, schema: text(60, '站点'), note: '留空则未安装到站点' },
  { key: 'imei', title: 'IMEI', ...optional, schema: deviceFields.imei },
  { key: 'iccid', title: 'ICCID', ...optional, schema: deviceFields.iccid },
]

/** Fields that must be unique, with their labels. */
const unique = [
  ['deviceNo', '设备编号'],
  ['imei', 'IMEI'],
  ['iccid', 'ICCID'],
] as const

/** Resolves the texts of a sheet, in one query for all rows. */
async function check({ db, scope, actor }: BatchCtx, rows: readonly ImportRow[]): Promise<Map<number, Verdict>> {
  const all = (key: string) => [...new Set(rows.flatMap(({ values }) => values[key] ?? []))]
  const [words, existing] = await Promise.all([
    store.sheetWords(db, {
      types: all('typeCode'),
      organises: all('organiseName'),
      agents: all('agentName'),
      sites: all('siteName'),
    }),
    store.findExistingNumbers(db, { deviceNo: all('deviceNo'), imei: all('imei'), iccid: all('iccid') }),
  ])
  const seen = new Set<string>()
  const repeated = (values: ImportRow['values']) => {
    for (const [key, title] of unique) {
      const value = values[key]?.toUpperCase()
      if (value === undefined) continue
      if (existing[key].has(value)) return `${title}已存在`
      if (seen.has(`${key} ${value}`)) return `${title}在表格中重复`
    }
    for (const [key] of unique) seen.add(`${key} ${(values[key] ?? '').toUpperCase()}`)
    return undefined
  }
  const verdictOf = ({ values }: ImportRow): Verdict => {
    const { organiseName, agentName, siteName, typeCode = '' } = values
    const typeId = words.types.get(typeCode)
    if (typeId === undefined) return { reason: '型号编码不存在' }
    const own = scope.level === 0 ? undefined : actor.organiseId
    const organiseId = organiseName === undefined ? own : words.organises.get(organiseName)
    if (organiseId === undefined) return { reason: organiseName === undefined ? '缺少所属机构' : '所属机构不存在' }
    const agentId = agentName === undefined ? undefined : words.agents.get(`${organiseId} ${agentName}`)
    if (agentName !== undefined && agentId === undefined) return { reason: '所属代理商不存在' }
    const siteId = siteName === undefined ? undefined : words.sites.get(`${organiseId} ${siteName}`)
    if (siteName !== undefined && siteId === undefined) return { reason: '所属站点不存在' }
    const reason = repeated(values)
    return reason === undefined ? { resolved: { typeId, organiseId, agentId, siteId } } : { reason }
  }
  return new Map(rows.map((row) => [row.seq, verdictOf(row)]))
}

const sheet: ImportKind = { fields, labelOf: (values) => values['deviceNo'] ?? '', check }
type Parsed = { deviceNo: string; name: string; imei?: string; iccid?: string }

export const importDevices = batchKind({
  kind: 'device.import',
  module: '设备管理',
  access: { menu: menuKey.deviceManage, action: 'import' },
  list: 'device',
  params: z.object({}),
  apply: async (ctx, _, target) => {
    const { db, actor } = ctx
    const { values, resolved } = await checkedRow(ctx, sheet, target)
    const { organiseId, agentId, siteId, typeId = '' } = resolved
    // Checked again: the site may have been removed, or left the caller's scope, after the sheet was checked.
    const place = await chosenPlace(db, actor, { organiseId, agentId, siteId })
    const { deviceNo, name, imei, iccid } = values as Parsed
    const type = await store.findType(db, typeId)
    const columns = columnsOf(deviceNo, type, { name, deviceTypeId: typeId, imei, iccid })
    await store.addDevice(db, { ...columns, ...place, device_no: deviceNo, created_by: actor.userName })
  },
  import: sheet,
})
