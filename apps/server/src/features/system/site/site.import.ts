import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { priceType, siteFields, siteType } from '@wattdeck/contract/system/site.ts'
import { text } from '@wattdeck/contract/kit/wire.ts'
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
import { regionFinder } from '../../_shared/region-path.store.ts'
import * as store from './site.store.ts'

/** '小区' → '1'; an unknown label stays as it is, and the schema refuses it. */
const codeOf = (options: readonly { value: number | string; label: string }[]) => (label: string) =>
  String(options.find((option) => option.label === label)?.value ?? label)
const labels = (options: readonly { label: string }[]) => options.map((option) => option.label).join('/')
const optional = { required: false } as const

const fields: ImportField[] = [
  { key: 'name', title: '站点名称', required: true, schema: siteFields.name },
  { key: 'code', title: '站点编号', ...optional, schema: siteFields.code, note: '留空则自动编号' },
  {
    key: 'type',
    title: '类型',
    required: true,
    schema: siteFields.type,
    read: codeOf(siteType.options),
    note: labels(siteType.options),
  },
  { key: 'organiseName', title: '所属机构', ...optional, schema: text(60, '机构'), note: '平台人员必填' },
  {
    key: 'agentName',
    title: '所属代理商',
    ...optional,
    schema: text(60, '代理商'),
    note: '留空则直属机构',
  },
  { key: 'province', title: '省', required: true, schema: text(20, '省') },
  { key: 'city', title: '市', ...optional, schema: text(30, '市') },
  { key: 'district', title: '区县', ...optional, schema: text(30, '区县') },
  { key: 'address', title: '地址', ...optional, schema: siteFields.address },
  { key: 'lng', title: '经度', ...optional, schema: siteFields.lng },
  { key: 'lat', title: '纬度', ...optional, schema: siteFields.lat },
  { key: 'contact', title: '负责人', ...optional, schema: siteFields.contact },
  { key: 'phone', title: '电话', ...optional, schema: siteFields.phone, personal: 'phone' },
  { key: 'parkingSpaces', title: '车位数', ...optional, schema: siteFields.parkingSpaces },
  { key: 'capacityKva', title: '报装容量(kVA)', ...optional, schema: siteFields.capacityKva },
  {
    key: 'priceType',
    title: '电价类型',
    ...optional,
    schema: siteFields.priceType,
    read: codeOf(priceType.options),
    note: labels(priceType.options),
  },
  { key: 'openHours', title: '营业时间', ...optional, schema: siteFields.openHours },
  { key: 'parkingNote', title: '停车费说明', ...optional, schema: siteFields.parkingNote },
  { key: 'remark', title: '备注', ...optional, schema: siteFields.remark },
]

/** Resolves the names of a sheet, in one query for all rows. */
async function check(ctx: BatchCtx, rows: readonly ImportRow[]): Promise<Map<number, Verdict>> {
  const { db, scope, actor } = ctx
  const all = (key: string) => [...new Set(rows.flatMap(({ values }) => values[key] ?? []))]
  const [findRegion, owners, existingCodes] = await Promise.all([
    regionFinder(db),
    store.ownersNamed(db, all('agentName'), all('organiseName')),
    store.findExistingCodes(db, all('code')),
  ])
  const seen = new Set<string>()

  const verdictOf = ({ values }: ImportRow): Verdict => {
    const { organiseName, agentName, code, province = '', city = '', district = '' } = values
    const own = scope.level === 0 ? undefined : actor.organiseId
    const organiseId = organiseName === undefined ? own : owners.organises.get(organiseName)
    if (organiseId === undefined) return { reason: organiseName === undefined ? '缺少所属机构' : '所属机构不存在' }
    const agentId = agentName === undefined ? undefined : owners.agents.get(`${organiseId} ${agentName}`)
    if (agentName !== undefined && agentId === undefined) return { reason: '所属代理商不存在' }
    const region = findRegion({ province, city, district })
    if (region === undefined) return { reason: '省市区不存在，请填写完整名称' }
    const key = `${organiseId} ${code ?? ''}`
    if (code !== undefined && existingCodes.has(key)) return { reason: '站点编号已存在' }
    if (code !== undefined && seen.has(key)) return { reason: '站点编号在表格中重复' }
    if (code !== undefined) seen.add(key)
    return { resolved: { organiseId, agentId, ...region } }
  }
  return new Map(rows.map((row) => [row.seq, verdictOf(row)]))
}

const sheet: ImportKind = { fields, labelOf: (values) => values['name'] ?? '', check }

export const importSites = batchKind({
  kind: 'site.import',
  module: '站点管理',
  access: { menu: menuKey.site, action: 'import' },
  list: 'site',
  params: z.object({}),
  apply: async (ctx, _, target) => {
    const { db, actor } = ctx
    const { values, resolved } = await checkedRow(ctx, sheet, target)
    // Checked again: the agent may have been removed, or left the caller's scope, after the sheet was checked.
    const place = await chosenPlace(db, actor, {
      organiseId: resolved['organiseId'],
      agentId: resolved['agentId'],
    })
    const { organiseName: _o, agentName: _a, province: _p, city: _c, district: _d, ...rest } = values
    await store.addSite(db, {
      ...columnsOf(rest),
      organise_id: place.organise_id,
      agent_id: place.agent_id,
      province_code: resolved['provinceCode'] ?? null,
      city_code: resolved['cityCode'] ?? null,
      district_code: resolved['districtCode'] ?? null,
      created_by: actor.userName,
    })
  },
  import: sheet,
})

const columnNames: Record<string, string> = {
  parkingSpaces: 'parking_spaces',
  capacityKva: 'capacity_kva',
  priceType: 'price_type',
  openHours: 'open_hours',
  parkingNote: 'parking_note',
}
const columnsOf = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [columnNames[key] ?? key, value])) as { name: string }
