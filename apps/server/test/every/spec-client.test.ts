import { readFileSync } from 'node:fs'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeCatalogue } from '../fixtures/catalogue-rows.ts'
import { makeDevice, makeModels } from '../fixtures/devices.ts'
import { makeMember } from '../fixtures/members.ts'
import { makeCode } from '../fixtures/qr-rows.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'

/**
 * A client that uses only the specification: methods, paths, encodings and parameters of docs/spec/calls.csv, a bearer
 * token and a content type. The api must not reject the form of any of its requests.
 */
type SpecCall = { method: string; path: string; encoding: string; parameters: string[] }
type CallValues = { by: string; path?: Record<string, string>; fields?: Record<string, unknown> }

const calls = readFileSync(new URL('../../../../docs/spec/calls.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line): SpecCall => {
    const [, method = '', path = '', encoding = '', , parameters = ''] = line.split(',')
    return { method, path, encoding, parameters: parameters.split(' ').filter((name) => name !== '') }
  })
const nameOf = ({ method, path }: Pick<SpecCall, 'method' | 'path'>) => `${method} ${path}`
const routes = new Set(allRoutes.map(({ route }) => nameOf(route)))
const built = calls.filter((call) => routes.has(nameOf(call)))

let api: TestApi
let fixture: Fixture
let callValues: Record<string, CallValues[]>
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  callValues = await makeValues()
})

/** Names of regions, classes and kinds as their owner reads them, and a target row for each change. */
async function makeValues(): Promise<Record<string, CallValues[]>> {
  const { platform, green } = fixture
  const [root, own] = [platform.root.token, green.admin.token]
  const { id: organiseId, agentId, siteId } = green
  const models = await makeModels(api)
  await makeCatalogue(api)
  const place = { organiseId, agentId: green.subAgentId, siteId }
  const device = () => makeDevice(api, { ...place, typeId: models.dny })
  const standing = await device()
  const member = await makeMember(api, place)
  const code = async (kind: number) => ({ ids: (await makeCode(api, { ...place, kind })).id })
  const [menu] = await api.sql<{ id: string }>("select id from menu where menu_key = '2.1'")
  const anyCaller = [{ by: root }, { by: own }]
  const screen = { organiseId, deviceFirstClass: '91', province: '330000', city: '330100', district: '330106' }
  const screens = (names: string, fields: object) =>
    names
      .split(' ')
      .map((name) => [`POST ${name}`, anyCaller.flatMap(({ by }) => [{ by }, { by, fields: { ...fields } }])])
  const terms = { unitPrice: '36.50', freeDevices: 5, cycle: 12, graceDays: 3, warnDays: 15, expiryPolicy: 2 }
  return {
    'GET /seeker/api/user/userInfo': anyCaller,
    'POST /seeker/api/platformProperty/verifyPermissions/{userId}': [{ by: own, path: { userId: green.admin.id } }],
    'GET /wechat/api/wechat/member/getMemberInfoByMemberId': anyCaller.map(({ by }) => ({
      by,
      fields: { memberId: member.id },
    })),
    'GET /seeker/api/organiseBaseservice/getBaseserviceByOrganiseId': anyCaller.map(({ by }) => ({
      by,
      fields: { organiseId },
    })),
    'POST /seeker/api/organiseBaseservice/setBaseserviceByOrganiseId': [
      { by: root, fields: { organiseId, expiresOn: '2030-01-02', ...terms } },
    ],
    'GET /seeker/api/platform/service/status': [
      ...anyCaller.map(({ by }) => ({ by, fields: { organiseId, baseService: 'PLATFORM', agentId } })),
      ...anyCaller.map(({ by }) => ({ by, fields: { organiseId, baseService: 'PLATFORM', agentId: '' } })),
      { by: green.agent.token, fields: { organiseId, baseService: 'PLATFORM', agentId } },
    ],
    ...Object.fromEntries([
      ...screens('/seeker/api/bigScreen/deviceBaseInfo /seeker/api/bigScreen/deviceMapRanking', {
        ...screen,
        isOnline: 1,
      }),
      ...screens('/seeker/api/bigScreen/devicePortMapRanking /seeker/api/bigScreen/queryAreaDevice', {
        ...screen,
        isOnline: 0,
      }),
      ...screens('/seeker/api/bigScreen/deviceTodayAdd /seeker/api/bigScreen/deviceTodayMonthCount', screen),
      ...screens('/seeker/api/bigScreen/deviceStateService/V2 /seeker/api/bigScreen/getDeviceAdd', screen),
      ...screens('/seeker/api/bigScreen/deviceBaseInfoPortSum', screen),
      ...screens(
        '/order/api/bigScreen/orderStatisticsTransaction/V2 /order/api/bigScreen/orderStatisticsAnalysis/V2',
        screen,
      ),
      ...screens(
        '/order/api/bigScreen/orderTransactionNumAnalysis/V2 /order/api/bigScreen/orderChargingAnalysis/V2',
        screen,
      ),
      ...screens(
        '/order/api/bigScreen/orderOrganiseTurnoverRanking/V2 /order/api/bigScreen/orderScaleChart/V2',
        screen,
      ),
      ...screens(
        '/order/api/bigScreen/orderDeviceTurnoverRanking/V2 /order/api/bigScreen/selectFlylineChartData',
        screen,
      ),
      ...screens('/order/api/bigScreen/latest20Order/V2', screen),
      ...screens('/wechat/api/statistics/memberRegionCountRanking/V2 /wechat/api/statistics/memberOrganiseCount/V2', {
        organiseId,
        province: '330000',
      }),
    ]),
    'GET /wechat/api/statistics/pc/V2': anyCaller,
    'GET /order/api/statistics/pc/V2': anyCaller,
    'GET /order/api/sse/heartbeat/{id}': anyCaller.map(({ by }) => ({ by, path: { id: organiseId } })),
    'GET /seeker/api/menu/tree': anyCaller,
    'GET /seeker/api/menu/tree/privilege/{userId}': [{ by: own, path: { userId: green.admin.id } }],
    'GET /seeker/api/menu/tree/rolePrivilege/{roleId}': [{ by: own, path: { roleId: green.clerk.roleId ?? '' } }],
    'POST /seeker/api/departmentMenu/save': [
      { by: own, fields: { departmentId: green.departmentId, menuIds: menu?.id } },
    ],
    'GET /seeker/api/qrcode/types': anyCaller,
    'GET /seeker/api/qrcode/list': anyCaller,
    'GET /seeker/api/miniappQrcode/list': anyCaller,
    'GET /seeker/api/deviceCloud/mainBoardQrcode/list': anyCaller,
    'GET /seeker/api/deviceQrCode/productDeviceNamePlateQrcode/list': anyCaller,
    'GET /seeker/api/deviceUnfiedPlatefrom/deviceUnifiedpileqrcodeDetai/list': anyCaller,
    'POST /seeker/api/qrcode/use': [{ by: own, fields: await code(1) }],
    'POST /seeker/api/miniappQrcode/use': [{ by: own, fields: await code(2) }],
    'GET /seeker/api/deviceBigCategory/list': [...anyCaller, { by: own, fields: { disabled: false, level: 1 } }],
    'GET /seeker/api/department/query/{organiseId}': anyCaller.map(({ by }) => ({ by, path: { organiseId } })),
    'GET /seeker/api/deviceSmallCategory/smallClassList/{code}': [{ by: own, path: { code: '91' } }],
    'GET /seeker/api/deviceManager/pageList': anyCaller,
    'GET /seeker/api/deviceManage/deviceClass': anyCaller,
    'POST /seeker/api/deviceManager/delete': [{ by: own, fields: { ids: await device() } }],
    'POST /seeker/api/deviceManage/updateDeviceServiceTime': [
      { by: root, fields: { ids: standing, serviceUntil: '2030-01-02', reason: '续期' } },
    ],
    'POST /seeker/api/deviceManager/changePlot': [{ by: own, fields: { ids: standing, siteId } }],
    'GET /seeker/api/deviceProperty/listPileFieldByDevice': [{ by: own, fields: { deviceId: standing } }],
    'GET /seeker/api/deviceService/getDeviceTypeList': [
      { by: root },
      ...[own, green.agent.token, green.site.token].map((by) => ({ by, fields: { organiseId } })),
    ],
    'POST /seeker/api/deviceManage/serviceFeeBillSeletedCount': [{ by: own, fields: { ids: [standing] } }],
  }
}

function send(
  { method, path, encoding }: SpecCall,
  { by, path: named = {}, fields = {} }: CallValues,
  signal?: AbortSignal,
) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? '')
  const texts = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const isJson = encoding === 'json'
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  return fetch(`${api.url}${filled}${method === 'GET' && texts.size > 0 ? `?${texts.toString()}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${by}`, ...(method === 'POST' ? { 'content-type': type } : {}) },
    ...(method === 'POST' ? { body: isJson ? JSON.stringify(fields) : texts.toString() } : {}),
    ...(signal === undefined ? {} : { signal }),
  })
}

describe('a client written from the specification', () => {
  it('has values for every implemented call, with all specified parameters', () => {
    expect(Object.keys(callValues).toSorted()).toEqual(built.map(nameOf).toSorted())
    const unsent = built.flatMap((call) =>
      call.parameters
        .filter((name) => !(callValues[nameOf(call)] ?? []).some(({ fields = {} }) => name in fields))
        .map((name) => `${nameOf(call)}: ${name}`),
    )
    expect(unsent).toEqual([])
  })

  it('receives 200 with success, message and data from each of them', async () => {
    const failures: string[] = []
    for (const call of built.filter(({ encoding }) => encoding !== 'sse'))
      for (const values of callValues[nameOf(call)] ?? []) {
        const response = await send(call, values)
        const text = await response.text()
        const reply = JSON.parse(text) as Record<string, unknown>
        const isWhole = Object.keys(reply).toSorted().join() === 'data,message,success' && reply['success'] === true
        if (response.status !== 200 || !isWhole)
          failures.push(
            `${nameOf(call)} ${JSON.stringify(values.fields ?? {})}: ${response.status} ${text.slice(0, 200)}`,
          )
      }
    expect(failures).toEqual([])
  })

  it('receives the first event of each stream', async () => {
    for (const call of built.filter(({ encoding }) => encoding === 'sse'))
      for (const values of callValues[nameOf(call)] ?? []) {
        const stop = new AbortController()
        const response = await send(call, values, stop.signal)
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
        const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
        let text = ''
        while (!/^data: .+\n\n/m.test(text)) {
          const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
          if (done) break
          text += value
        }
        stop.abort()
        expect(text).toMatch(/^data: \{.+\}\n\n/m)
      }
  })
})

describe('a list of device types', () => {
  it('is named deviceTypeList for an organisation, and holds the types of the devices that the reader may see there', async () => {
    const call = built.find(({ path }) => path.endsWith('/getDeviceTypeList')) as SpecCall
    const ask = async (by: string, organiseId: string) => {
      const response = await send(call, { by, fields: { organiseId } })
      const { data } = (await response.json()) as { data: { deviceTypeList: { code: string }[] } | null }
      return { status: response.status, codes: data?.deviceTypeList.map(({ code }) => code) }
    }
    const { platform, green, swift } = fixture
    for (const { token } of [platform.root, green.admin, green.agent, green.site])
      expect(await ask(token, green.id)).toEqual({ status: 200, codes: ['91-01-01'] })
    expect(await ask(swift.admin.token, swift.id)).toEqual({ status: 200, codes: [] })
    expect(await ask(swift.admin.token, green.id)).toEqual({ status: 404, codes: undefined })
  })
})
