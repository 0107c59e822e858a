import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import type { Fields } from '@wattdeck/contract/kit/fields.ts'
import { describe, expect, it } from 'vitest'

/** Every column and fact that names an object links to it. Exceptions with plain text are listed below with a reason. */
const titles: readonly [ObjectKind, RegExp][] = [
  ['device', /^(?:设备编号|设备名称|绑定设备|应贴设备|疑似贴在|设备|原设备|测试设备|设备\/端口)$/],
  ['order', /^订单号$/],
  ['member', /^(?:用户|会员|昵称|企业账户（会员ID）)$/],
  ['site', /^(?:站点|站点名称|所属站点)$/],
  ['tariff', /^消费标准$/],
  ['ticket', /^(?:工单号|维修工单)$/],
  ['payment', /^支付单号$/],
  ['recharge', /^充值单号$/],
  ['refund', /^退款单号$/],
  ['organise', /^(?:机构|机构名称|所属机构)$/],
  ['staff', /^(?:维修人|操作人|负责人)$/],
]
const kindOf = (title: string) => titles.find(([, pattern]) => pattern.test(title))?.[0]

const own = 'names the very object that is shown'
const typed = 'a name that somebody typed, of nobody with an account'
const nameAlone = 'the record keeps the name and no id'
const chooser = 'a choice or a count in the page of these objects, not one object'
const tab = 'a tab of the page, whose list links each of them'
const installer = 'installers scan on a phone; a button below opens the device'
const exceptions: Readonly<Record<string, string>> = {
  'enterpriseRefundList.id': own,
  'cardBuyList.id': own,
  'rechargeList.id': own,
  'rechargeRefundList.id': own,
  'refundList.id': own,
  'payList.refNo': 'a recharge or a pass is paid through a provider; the number of a recharge leads to it',
  'pendingBatchList.labels': 'some of hundreds of devices, in one text',
  'departmentList.leader': typed,
  'areaList.leader': typed,
  'siteList.contact': typed,
  'AlipayFacts.tsx 机构名称': 'a public page without a login',
  'Wallboard.tsx 设备': 'a tab of the wallboard',
  'Wallboard.tsx 会员': 'a tab of the wallboard',
  'charging-order.commands.tsx 操作人': nameAlone,
  'device-command.facts.tsx 操作人': nameAlone,
  'device-command.list.tsx 操作人': nameAlone,
  'device-detail.operations.tsx 操作人': nameAlone,
  'device-manage.fee-dialog.tsx 所属机构': nameAlone,
  'pay-order.drawer.tsx 退款单号': 'numbers of the provider for parts of a refund, which have no page',
  'refund-review.decision.tsx 退款单号': own,
  'device-detail.overview.tsx 设备编号': own,
  'device-manage.page.tsx 设备': chooser,
  'site.page.tsx 站点': chooser,
  'site-detail.page.tsx 设备': tab,
  'site-detail.page.tsx 消费标准': tab,
  'device-scan.bind.tsx 设备': installer,
  'device-scan.bind.tsx 站点': installer,
  'device-scan.found.tsx 设备编号': installer,
  'device-scan.found.tsx 设备名称': installer,
  'device-scan.found.tsx 所属机构': installer,
  'device-scan.found.tsx 站点': installer,
  'operation-area.sites-dialog.tsx 站点名称': chooser,
  'operation-area.users-dialog.tsx 所属站点': chooser,
}

type List = { fields: Fields; module: string; routes: { list: { path: string } } }
const isList = (value: unknown): value is List =>
  typeof value === 'object' && value !== null && 'fields' in value && 'module' in value && 'routes' in value

const contract = import.meta.glob<Record<string, unknown>>('../../../../../packages/contract/src/*/*.ts', {
  eager: true,
})
const lists = new Map(
  Object.values(contract)
    .flatMap((exports) => Object.entries(exports))
    .filter((entry): entry is [string, List] => isList(entry[1])),
)

describe('the fields of every declared list', () => {
  it('link to the objects that they name', () => {
    const plain = [...lists].flatMap(([name, { fields }]) =>
      Object.entries(fields).flatMap(([field, { title, object, kind }]) => {
        const named = kind === 'data' ? undefined : kindOf(title)
        if (named === undefined || `${name}.${field}` in exceptions) return []
        const linked = object?.kind === named && (object.id === 'id' || object.id in fields)
        return linked ? [] : [`${name}.${field} ${title}`]
      }),
    )
    expect(lists.size).toBeGreaterThan(20)
    expect(plain).toEqual([])
  })
})

const pages = import.meta.glob<string>('../../features/**/*.tsx', { eager: true, query: '?raw', import: 'default' })
const leads =
  /ObjectLink|OwnerPath|object=\{|RowName|devicePath\(|shown\.(?:member|orderNo)\(|tariffText|tariffOf|orderOf|ownerOf|valueOf/
/** Columns and facts written by hand; the text up to the next one is their content. */
const written =
  /(?:(?<!kind: '\w+', (?:from|name): .*)\b(?:title|label): '([^']+)'|fact\(\s*'\w+',\s*'([^']+)'|<dt>([^<{]+)<\/dt>|<th>([^<{]+)<\/th>)/g

function plainNames(file: string, source: string): string[] {
  const found = [...source.matchAll(written)]
  return found.flatMap((match, at) => {
    const title = match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''
    // The cells of a table follow all of its heads.
    const end = match[4] === undefined ? (found[at + 1]?.index ?? match.index + 400) : source.length
    const shown = source.slice(match.index, end)
    const name = `${file.split('/').at(-1)} ${title}`
    return kindOf(title) === undefined || name in exceptions || leads.test(shown) ? [] : [name]
  })
}

describe('the columns and facts that pages write by hand', () => {
  it('link to the objects that they name', () => {
    const plain = Object.entries(pages).flatMap(([file, source]) => plainNames(file, source))
    expect(Object.keys(pages).length).toBeGreaterThan(200)
    expect(plain).toEqual([])
  })
})

describe('an exception', () => {
  it('has a reason', () => {
    expect(Object.entries(exceptions).filter(([, why]) => why.length < 10)).toEqual([])
  })
})
