import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiUrl, superuserUrl } from '../../../../tools/ops/database.ts'
import { isInScope, looksAtAll } from '../../../../tools/check/tier.ts'
import { readConfig } from '../../src/kit/ops/config.ts'
import { makeAlarm, makeTicket } from '../fixtures/alarms.ts'
import { collectFailures, loop } from './collect-failures.ts'
import { newPair } from '../../../pay-sandbox/src/merchants.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import {
  type Actor,
  makePerson,
  makeRole,
  makeFixture,
  openSession,
  password,
  type Fixture,
} from '../harness/people.ts'
import { makeDownload, makeJob } from '../fixtures/bulk-rows.ts'
import { makeFactorReset, makePasskey } from '../fixtures/factor-rows.ts'
import { catalogueFeatures, catalogueFields, makeCatalogue, makeTestable } from '../fixtures/catalogue-rows.ts'
import { addCrudRow, allCruds } from '../fixtures/crud-rows.ts'
import { makeCommanded, makeModels, makeDevice, makeLetter } from '../fixtures/devices.ts'
import { makeCoupon, makeGrant } from '../fixtures/coupons.ts'
import { makeAdjustment, makeBlock, makeMember, makeWhitelistEntry } from '../fixtures/members.ts'
import { makeAuthority } from '../../src/kit/crypto/x509/certificate.ts'
import { makeCard, makeReplacement } from '../fixtures/cards.ts'
import { credentialFitting, makeCredential, makeCredentialDevices } from '../fixtures/credentials.ts'
import { makeDeskShift, makeOfflineRecharge } from '../fixtures/offline-recharges.ts'
import { makeMonthlyPlan } from '../fixtures/monthly-passes.ts'
import { makeOrderFor, startable } from '../fixtures/orders.ts'
import { makeCodeFor } from '../fixtures/qr-rows.ts'
import { makeRefundFor } from '../fixtures/refunds.ts'
import { plantPayment } from '../fixtures/payment-rows.ts'
import { addPlan } from '../fixtures/recharge-plan.ts'
import { plantLink } from '../fixtures/screen-links.ts'
import { plantBreak } from '../fixtures/recon-rows.ts'
import { plantApp, plantKey } from '../fixtures/open-keys.ts'
import { makeReplay, makeReplayTarget } from '../fixtures/replays.ts'
import { sha256 } from '../../src/kit/auth/tokens.ts'
import { recordChanges, tablesOf, takeChanges } from './row-changes.ts'
import { sampleInput, type Field } from './samples.ts'
import { byEnergy, makeTariffFor } from '../fixtures/tariffs.ts'
import { sheetOf } from '@wattdeck/contract/product/tariff-sheet.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'

/** Every action that changes data writes one log entry, with its actor and every changed row before and after. */
let api: TestApi
let fixture: Fixture
/** An actor that changes its own sessions and factors; no other test uses its sessions. */
let self: Actor

beforeAll(async () => {
  // Invitations to authorise require an Alipay application. Certificates require a device authority.
  const deviceCa = makeAuthority('test', 3650)
  const consoleUrl = 'https://console.example.cn'
  api = await startApi({ alipay: { ...readConfig().alipay, appId: 'test-app' }, deviceCa, consoleUrl })
  fixture = await makeFixture(api)
  self = await makePerson(api, { organiseId: fixture.green.id, loginName: 'changes_self' })
  const { mqtt } = await makeModels(api)
  await makeDevice(api, { organiseId: fixture.green.id, typeId: mqtt, deviceNo: repairNo })
  await makeCredentialDevices(api, fixture.green.id)
  const tables = (await tablesOf(api)).map(({ name }) => name)
  await recordChanges(
    api,
    tables.filter((name) => !aside.has(name)),
  )
})

const changing = allRoutes.filter(
  ({ feature, route }) =>
    isInScope(feature) &&
    route.method === 'POST' &&
    route.audit !== 'none' &&
    route.access !== 'public' &&
    route.access !== 'signed' &&
    route.encoding !== 'multipart',
)
// Excluded: tables of the log itself, deliveries, and rows that only record presence.
const aside = new Set([
  'audit_log',
  'audit_chain',
  'audit_pending',
  'audit_device',
  'idempotency_key',
  'session',
  'outbox',
  'notification',
  'attempt',
  'captcha',
  'login_ticket',
  'passkey_challenge',
  'sms_code',
  'sms_message',
  'user_password_history',
  'schema_migration',
  // A trigger derives these rows from the site name, which is logged.
  'site_name_tail',
  // Jobs and their progress: the request and the changes of the worker are logged.
  'batch_job',
  'batch_item',
  'download',
  // Lists the objects in storage, with a flag for each used picture; the record with the picture is logged with its id.
  'stored_file',
  // State reported by a device. The rows are created with the device, which is logged.
  'device_state',
  'port',
  // The ledger is an append-only log: decisions are logged here, movements there, and each posting names its requester.
  'account',
  'posting',
  'entry',
  // Each command records its issuer and its outcome.
  'device_command',
  // Tariff pushes to devices, and trials on past charges: the request is logged.
  'tariff_push',
  'tariff_lab',
  // The port that an order occupies; the order is logged.
  'open_charge',
  // The refunded amount of a recharge; the refund is logged.
  'recharge_order',
  // A payment records its own progress row by row; the request is logged.
  'pay_order',
  'pay_refund',
  // A repeated reconciliation of one day.
  'recon_run',
  // Statistics deltas, which triggers derive from logged rows.
  'stat_delta',
  'stat_cohort_delta',
  'stat_outage_delta',
  'device_outage',
  'member_month',
  'stat_now_delta',
  'stat_device_delta',
  'stat_latest',
])

let menuSerial = 100
/** Creates rows for one call, so that their removal affects no other call. */
async function freshIds(feature: string, route: string): Promise<(field: Field) => string> {
  const tag = `f${Math.random().toString(36).slice(2, 10)}`
  const { id: organiseId, agentId, subAgentId, siteId, departmentId } = fixture.green
  const person = await makePerson(api, { organiseId, loginName: tag })
  const types: Record<string, 1 | 2 | 3 | 4> = { operatorInfo: 2, userMaintenance: 3 }
  const userType = types[feature] ?? 1
  const roleId = await makeRole(api, { organiseId, loginName: tag, userType, menus: ['2'] })
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const department = await one(
    'insert into department (organise_id, parent_id, name, code, type) values ($1, $2, $3, $3, 1)',
    [organiseId, departmentId, tag],
  )
  const [above] = await api.sql<{ id: string }>("select id from menu where menu_key = '1.1'")
  const menu = await one('insert into menu (parent_id, menu_key, title, kind, sort) values ($1, $2, $3, 2, 1)', [
    above?.id,
    `1.1.${++menuSerial}`,
    tag,
  ])
  await api.sql('insert into menu (parent_id, menu_key, title, kind, sort) values ($1, $2, $3, 2, 2)', [
    above?.id,
    `1.1.${++menuSerial}`,
    tag,
  ])

  const resource = await one(
    "insert into resource (menu_id, name, code, action, path, method) values ($1, $2, $2, 'add', '/x', 'POST')",
    [feature === 'role' || feature === 'organise' ? menu : above?.id, tag],
  )
  const memberApp = await plantApp(api, organiseId, tag)
  const openKeyId = feature === 'openKey' ? await plantKey(api, organiseId, tag, route === 'enable' ? 0 : 1) : ''
  // A person has at most twenty saved views of a list.
  const savedView =
    feature === 'savedView'
      ? await one(
          `insert into saved_view (organise_id, user_id, list_key, name, query, created_by)
           values (1, $1, '/seeker/api/employee/pageList', $2, 'status=0', $2)`,
          [fixture.platform.root.id, tag],
        )
      : ''
  // The last of its type, so that the call can move it up.
  const help = await one('insert into help_document (type, title, body, sort, status) values (2, $1, $1, $2, 1)', [
    tag,
    10_000 + menuSerial,
  ])
  const organise = await one('insert into organise (name) values ($1)', [tag])
  const admin = await makePerson(api, { organiseId: organise, loginName: `${tag}_o`, menus: ['2'], code: 'GZHGLJS' })
  await api.sql('update organise set admin_user_id = $2 where id = $1', [organise, admin.id])
  const agent = await one('insert into agent (organise_id, name) values ($1, $2)', [organiseId, tag])
  const operator = await makePerson(api, { organiseId, agentId: agent, loginName: `${tag}_a` })
  await api.sql('update agent set admin_user_id = $2 where id = $1', [agent, operator.id])
  const siteUser = await makePerson(api, { organiseId, agentId: subAgentId, siteId, loginName: `${tag}_s` })
  const mender = await makePerson(api, { organiseId, loginName: `${tag}_m`, menus: ['4', '4.1', '4.1.3'] })
  const area = await one('insert into operation_area (organise_id, name) values ($1, $2)', [organiseId, tag])
  const site = await one('insert into site (organise_id, agent_id, name) values ($1, $2, $3)', [
    organiseId,
    agentId,
    tag,
  ])
  const picture = await one(
    `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, width, height)
     values (1, $1, 'picture', $2, $3, 'image/webp', 1, 1, 1)`,
    [fixture.platform.root.id, `picture/1/${crypto.randomUUID()}`, tag],
  )
  const root = fixture.platform.root.id
  const job = feature === 'batch' ? await makeJob(api, root, route) : ''
  const download = feature === 'download' ? await makeDownload(api, root, route) : ''
  const ownPart = catalogueFeatures[feature]
  const catalogue = ownPart === undefined ? undefined : await makeCatalogue(api)
  const crud = ownPart === undefined ? allCruds[feature] : undefined
  const plain = crud && (await addCrudRow(api, fixture.platform.root.token, crud)).id
  const models = await makeModels(api)
  const device = await makeDevice(api, { organiseId, agentId: subAgentId, siteId, typeId: models.mqtt, name: tag })
  const commanded = feature === 'deviceCommand' ? await makeCommanded(api, device, route) : ''
  const alarm = await makeAlarm(api, device)
  const ticket = feature === 'repairTicket' ? await makeTicket(api, device) : ''
  const place = { organiseId, agentId: subAgentId, siteId, typeId: models.mqtt }
  const code = feature === 'qrCodeManage' ? await makeCodeFor(api, route, place) : ''
  const credential = feature === 'deviceAuth' ? await makeCredential(api, device) : ''
  const member = await makeMember(api, { organiseId, agentId: subAgentId, siteId, nickname: tag })
  // The requester withdraws it; another person decides on it.
  const maker = route === 'withdraw' ? root : fixture.green.admin.id
  const link = feature === 'screenLink' ? await plantLink(api, organiseId, tag) : ''
  const adjustment = feature === 'balanceAdjustment' ? await makeAdjustment(api, member, maker) : ''
  const block =
    feature === 'blacklist' && route === 'lift' ? await makeBlock(api, fixture.green, { memberId: member.id }) : ''
  const entry =
    feature === 'whitelist'
      ? await makeWhitelistEntry(
          api,
          { organiseId },
          {
            makerId: maker,
            phone: `135${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
            status: route === 'extend' ? 2 : 1,
          },
        )
      : ''
  const decides = route === 'approve' || route === 'turnDown'
  const couponId = feature.startsWith('coupon')
    ? await makeCoupon(api, { organiseId }, { makerId: maker, status: decides ? 1 : 2 })
    : ''
  const grantId = feature === 'couponGrant' ? await makeGrant(api, couponId, member.id) : ''
  const card =
    feature === 'storedCard'
      ? await makeCard(api, { organiseId, siteId, memberId: member.id, paidFen: route === 'replace' ? 1000 : 0 })
      : undefined
  if (route === 'cancelReportLoss') await api.sql('update stored_card set status = 1 where id = $1', [card?.id])
  const replacement =
    card === undefined || route === 'replace' || route === 'cancel' ? '' : await makeReplacement(api, card, maker)
  const deskRecharge = feature === 'offlineRecharge' ? await makeOfflineRecharge(api, member.id, maker) : ''
  // The root closes its own shift and receives the cash of another.
  const shift =
    feature === 'deskShift'
      ? await makeDeskShift(api, {
          memberId: member.id,
          clerkId: route === 'close' ? root : fixture.green.admin.id,
          closed: route !== 'close',
        })
      : ''
  const plan =
    feature === 'rechargeThreshold'
      ? (await addPlan(api, { organiseId, agentId: agent }, { tiers: [[100, 10]], enabled: route !== 'toggle' })).planId
      : ''
  const monthly =
    feature === 'monthlyPlan' ? await makeMonthlyPlan(api, { organiseId }, { enabled: route !== 'toggle' }) : ''
  const tariff = await makeTariffFor(api, route, organiseId)
  const order = await makeOrderFor(api, fixture, models, feature, route)
  const refund = await makeRefundFor(api, fixture, models, member.id, feature, route)
  const paying = payFeatures.has(feature)
    ? await plantPayment(api, { organiseId, agentId: subAgentId, siteId, memberId: member.id })
    : undefined
  // Other calls have changed the menus of the administrators.
  const keeper =
    feature === 'reconciliation' && route === 'assign'
      ? await makePerson(api, { organiseId, loginName: 'recon_keeper', menus: ['8', '8.30'] })
      : undefined
  const differing =
    paying === undefined || feature !== 'reconciliation'
      ? undefined
      : await plantBreak(api, {
          organiseId,
          merchantId: paying.merchant,
          paymentId: paying.payment,
          makerId: maker,
          route,
        })
  const ownSession = feature === 'ownSession' ? await openSession(api, self.id) : ''
  const [opened] = await api.sql<{ id: string }>('select id from session where token_hash = $1', [sha256(ownSession)])
  const passkey = feature === 'ownFactor' ? await makePasskey(api, self.id, 2) : ''
  if (feature === 'staff') await makeFactorReset(api, person.id, route)
  const letter = feature === 'deadLetter' ? await makeLetter(api) : ''
  const replay = feature === 'messageReplay' ? await makeReplay(api, device) : ''
  const target = feature === 'messageReplay' ? await makeReplayTarget(api) : ''
  if (feature === 'instructionSet' && route === 'test' && catalogue !== undefined)
    await makeTestable(api, catalogue, device)
  if (feature === 'deviceManage' && route === 'confirmLine')
    await api.sql('update device set online = true, line_confirmed_at = null where id = $1', [device])
  if (feature === 'paySetting' && /^(approve|decline)Key$/.test(route))
    await api.sql('update pay_key set approved_by = null, approved_at = null, live_at = null where id = $1', [
      paying?.merchantKey,
    ])
  return ({ name }) => {
    const part = catalogueFields[name] ?? ownPart
    if (route === 'test' && name === 'deviceId') return device
    if (catalogue !== undefined && part !== undefined) return name === 'pictureId' ? picture : catalogue[part]
    const named: Record<string, string> = {
      deviceId: device,
      targetDeviceId: target,
      deviceTypeId: models.mqtt,
      organiseId,
      agentId,
      siteId,
      siteIds: siteId,
      userIds: person.id,
      departmentId: department,
      roleId,
      roleIds: roleId,
      menuId: menu,
      menuIds: menu,
      resourceIds: resource,
      parentAgentId: agentId,
      licenceFileId: picture,
      assigneeId: mender.id,
      memberId: member.id,
      couponId,
      tariffId: tariff.id,
      versionId: tariff.versionId,
      keyId: paying?.merchantKey ?? '',
      repairId: differing?.repair ?? '',
      replacementId: replacement,
    }
    const own: Record<string, string> = {
      staff: person.id,
      role: roleId,
      department,
      menuManager: name === 'parentId' ? (above?.id ?? '') : menu,
      resource,
      savedView,
      helpDocument: help,
      organise,
      operatorInfo: agent,
      userMaintenance: siteUser.id,
      operationArea: area,
      batch: job,
      download,
      site: name === 'pictureIds' ? picture : site,
      deviceManage: device,
      deadLetter: letter,
      deviceCommand: commanded,
      attributeSetting: device,
      alarmCenter: alarm,
      repairTicket: name === 'pictureIds' ? picture : ticket,
      qrCodeManage: code,
      deviceAuth: credential,
      messageReplay: replay,
      balanceAdjustment: name === 'pictureId' ? picture : adjustment,
      blacklist: block,
      whitelist: entry,
      coupon: couponId,
      couponGrant: grantId,
      chargingMini: memberApp,
      openKey: openKeyId,
      offlineRecharge: name === 'pictureId' ? picture : deskRecharge,
      storedCard: card?.id ?? '',
      deskShift: shift,
      consumptionStandard: route === 'bindDevices' ? device : route === 'bindSites' ? site : tariff.id,
      tariffPush: device,
      tariffLab: tariff.id,
      consumeOrder: order,
      refundOrder: refund,
      rechargeRefund: refund,
      enterpriseRefund: name === 'pictureId' ? picture : refund,
      unfinishedOrder: order,
      orderReview: order,
      chargingOrder: order,
      payOrder: paying?.payment ?? '',
      rechargeThreshold: plan,
      monthlyPlan: monthly,
      paySetting: paying?.merchant ?? '',
      payAuth: paying?.merchant ?? '',
      screenLink: link,
      ownSession: opened?.id ?? '',
      ownFactor: passkey,
      reconciliation: name === 'userId' ? (keeper?.id ?? '') : (differing?.reconBreak ?? ''),
    }
    return (
      plain ?? named[name] ?? (feature === 'department' && name === 'parentId' ? departmentId : (own[feature] ?? '1'))
    )
  }
}

/** The number of an existing device. */
const repairNo = 'REPAIR0001'
const payFeatures = new Set(['payOrder', 'paySetting', 'payAuth', 'reconciliation'])
/** Two key pairs: the platform's and a provider's. */
const keyPems = { ours: newPair().privateKey, theirs: newPair().publicKey }
const outcomes = new Map<string, number>()
const changedRows = new Set<string>()
const shanghaiText = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const planBody = {
  startsOn: '2026-01-02',
  min: '10',
  allowsCustom: true,
  tiers: [{ pay: '100', gift: '10' }],
  giftValidDays: 30,
  endsOn: undefined,
}
/** Exactly one quota, and no sites where the plan applies to all. */
const passBody = {
  price: '29.90',
  unit: '1',
  minutes: '240',
  kwh: undefined,
  dayTimes: '1',
  monthTimes: '30',
  reach: '1',
  siteIds: undefined,
}
const fitting: Record<string, Record<string, unknown>> = {
  'messageReplay.start': { beginAt: shanghaiText(Date.now() - 60_000), endAt: shanghaiText(Date.now() + 3_600_000) },
  // The route accepts either ids or a filter.
  'site.batchToggle': { filter: '' },
  'site.batchTransfer': { filter: '' },
  'site.batchEdit': { filter: '' },
  // Without a code, because the route refuses the code of another device.
  'deviceCommand.startPort': { codeId: undefined },
  'deviceCommand.batchOperate': { filter: '' },
  'attributeSetting.batchWrite': { filter: '', values: 'maxDuration=3600' },
  'attributeSetting.write': { values: [{ identifier: 'maxDuration', value: '3600' }] },
  // The site has no tariff to take over.
  'deviceManage.changePlot': { filter: '', syncTariff: undefined },
  'deviceManage.serviceTime': { filter: '' },
  'deviceManage.serviceFee': { ids: undefined, filter: 'status=1' },
  'alarmCenter.saveRule': { threshold: '20', notifyTypes: '1,2', smsTypes: '1' },
  'alarmCenter.exportList': { query: 'status=1', columns: 'kind,deviceNo' },
  'repairTicket.add': { deviceNo: repairNo, alarmId: undefined },
  'repairTicket.exportList': { query: 'status=2', columns: 'ticketNo,deviceNo' },
  'consumptionStandard.add': { rules: sheetOf(byEnergy), deviceTypeIds: [] },
  'consumptionStandard.edit': { rules: sheetOf(byEnergy), deviceTypeIds: [] },
  'rechargeThreshold.add': { ...planBody, siteId: undefined },
  'rechargeThreshold.edit': planBody,
  'rechargeThreshold.toggle': { status: '1' },
  'rechargeThreshold.exportList': { query: 'status=1', columns: 'place,tiers' },
  'monthlyPlan.add': { ...passBody, organiseId: undefined, agentId: undefined, siteId: undefined },
  'monthlyPlan.edit': passBody,
  'monthlyPlan.toggle': { status: '1' },
  'monthlyPlan.exportList': { query: 'status=1', columns: 'name,price' },
  'memberCardBuy.exportList': { query: 'status=2', columns: 'id,amount' },
  'consumptionStandard.publish': { effectiveAt: undefined },
  'consumptionStandard.bindDevices': { filter: '' },
  'consumptionStandard.bindSites': { filter: '' },
  'consumptionStandard.exportList': { query: 'status=1', columns: 'name,prices' },
  'consumeOrder.payer': { deviceNo: startable.deviceNo, phone: startable.phone },
  'consumeOrder.sendCode': { deviceNo: startable.deviceNo, phone: startable.phone },
  'consumeOrder.start': { ...startable, portNo: '1', limitBy: '1', amount: '3.00', minutes: undefined },
  'refundOrder.add': { amount: '1.00', way: '1' },
  'refundOrder.savePolicy': { max: '1.00', day: '2.00' },
  'refundOrder.exportList': { query: 'status=1', columns: 'id,amount' },
  'rechargeRefund.add': { amount: '1.00' },
  'enterpriseRefund.add': { amount: '1.00', account: '6222021234567890123', taxpayerNo: undefined },
  'enterpriseRefund.exportList': { query: 'status=AUDITING', columns: 'id,amount' },
  'rechargeRefund.exportList': { query: 'status=AUDITING', columns: 'id,amount' },
  'paySetting.addKey': { privateKey: keyPems.ours, providerKey: keyPems.theirs, apiV3Key: 'k'.repeat(32) },
  'reconciliation.run': { day: '2026-01-03' },
  'reconciliation.exportList': { query: 'status=1', columns: 'breakNo,ours' },
  'payAuth.authorise': { until: undefined },
  'payOrder.exportList': { query: 'status=1', columns: 'payNo,amount' },
  'rechargeRecord.exportList': { query: 'status=ALREADY_PAY_STATUS', columns: 'id,amount' },
  'orderStatistics.exportList': { query: 'span=2', columns: 'period,paid' },
  'customerAnalysis.exportList': { query: 'span=2', columns: 'rank,revenue' },
  'rechargeStatistics.exportList': { query: 'span=1', columns: 'period,amount' },
  'consumeOrder.exportList': { query: 'status=3', columns: 'id,total' },
  'completedOrder.exportList': { query: '', columns: 'id,total' },
  'unfinishedOrder.exportList': { query: 'mark=offline', columns: 'id,power' },
  'orderReview.exportList': { query: '', columns: 'id,held' },
  'unfinishedOrder.settle': { total: '0.51' },
  'orderReview.decide': { choice: 'device', total: '0.92' },
  'chargingOrder.evidence': { clear: undefined },
  'deviceManage.exportList': { query: 'status=1', columns: 'deviceNo,name' },
  'qrCodeManage.generate': { prefix: 'HZ' },
  'qrCodeManage.bind': { deviceNo: 'QRBIND01' },
  'qrCodeManage.pack': { query: 'status=1', columns: 'codeNo,content' },
  ...credentialFitting,
  'batch.fixRow': { seq: 2, values: { city: '杭州市' } },
  'changePassword.change': { oldPassword: password },
  'login.startEnrolment': { password },
  'login.startPasskey': { password },
  'menuManager.add': { menuKey: '1.1.99' },
  // With every field the role belongs to a site.
  'role.add': { userType: '3' },
  'roleTemplate.add': { codes: 'SIMCARD,INSTALLER' },
  'userMaintenance.add': { userType: '3' },
  'operatorInfo.add': { sharePercent: '0' },
  'deviceCategory.add': { code: '77' },
  'deviceType.add': { modelNo: '77' },
  'attributeTemplate.saveItems': { items: [] },
  'instructionSet.exportList': { columns: 'code,name' },
  'miniUser.toggle': { status: '0' },
  'chargingMini.toggle': { status: '0' },
  'chargingMini.exportList': { query: 'status=1', columns: 'name,appId' },
  'wechatUser.exportList': { query: 'following=1', columns: 'memberId,nickname' },
  'miniUser.exportList': { query: 'status=1', columns: 'memberId,nickname' },
  'balanceAdjustment.exportList': { query: 'status=1', columns: 'adjustmentNo,amount' },
  // Exactly one key names the person, and only the value of the rule is given.
  'whitelist.add': {
    organiseId: undefined,
    agentId: undefined,
    siteId: undefined,
    cardNo: undefined,
    phone: '13511112222',
    rule: '1',
    payPercent: 80,
    off: undefined,
    pay: undefined,
    freeKwh: undefined,
    times: undefined,
    funder: '2',
    startsOn: '2026-01-01',
    endsOn: '2098-01-01',
  },
  'whitelist.extend': { endsOn: '2099-01-01' },
  'whitelist.exportList': { query: 'status=1', columns: 'name,rule' },
  // Only the values of the kind are given.
  'coupon.add': {
    organiseId: undefined,
    agentId: undefined,
    siteId: undefined,
    kind: '1',
    off: '1.00',
    from: undefined,
    payPercent: undefined,
    max: undefined,
    freeMinutes: undefined,
    freeKwh: undefined,
    funder: '2',
    total: '10',
    perMember: '1',
    startsOn: '2026-01-01',
    endsOn: '2098-01-01',
  },
  'coupon.exportList': { query: 'status=1', columns: 'name,kind' },
  'couponGrant.give': { phones: '13500000000' },
  'couponGrant.exportList': { query: 'status=1', columns: 'name,phone' },
  // Exactly one key names the person.
  'blacklist.add': { organiseId: undefined, phone: undefined, cardNo: undefined, endsOn: undefined },
  'blacklist.exportList': { query: 'status=1', columns: 'phone,reason' },
  // A member or a card; cash has no bank reference.
  'offlineRecharge.add': { cardId: undefined, amount: '1.00', way: '1', bankRef: undefined },
  'deskShift.close': { expected: '1.00', counted: '1.00', reason: undefined },
  'deskShift.confirm': { received: '1.00', reason: undefined },
  'deskShift.exportList': { query: 'status=1', columns: 'serialNo,expected' },
  'incomeExpense.exportList': { query: 'direction=1', columns: 'id,amount' },
  'offlineRecharge.exportList': { query: 'status=1', columns: 'serialNo,amount' },
  'storedCard.issue': { cardNo: '77700001', chipNo: 'ab12cd34' },
  'storedCard.replace': { cardNo: '77700002', chipNo: 'ab12cd35' },
  'storedCard.exportList': { query: 'state=0', columns: 'cardNo,balance' },
  'cardRecharge.exportList': { query: 'way=1', columns: 'serialNo,amount' },
  'cardSwipe.exportList': { query: 'result=3', columns: 'at,result' },
  'accountDetail.exportList': { query: 'kind=1', columns: 'kind,closing' },
  'log.exportList': { query: 'result=1', columns: 'at,module' },
  'organise.exportList': { query: 'status=1', columns: 'code,name' },
  'operatorInfo.exportList': { query: 'status=1', columns: 'code,name' },
}

describe('every route that changes data', loop, () => {
  it('writes one log entry with the rows that it changed', async () => {
    const failures = await collectFailures(
      changing,
      ({ feature, name }) => `${feature}.${name}`,
      async ({ feature, name: routeName, route }) => {
        const name = `${feature}.${routeName}`
        const { input, token } = await arrange(name, feature, route)
        await takeChanges(api)
        const requestId = crypto.randomUUID()
        const reply = await api.call(token, route, {
          params: input.params as never,
          body: input.body as never,
          headers: { 'x-request-id': requestId },
        })
        outcomes.set(name, reply.status)
        const changed = [...new Set((await takeChanges(api)).map(({ table_name }) => table_name))]
        if (changed.length > 0) changedRows.add(name)
        const logged = await api.sql<{
          result: number
          user_id: string
          changes: { table: string; before: object; after: object }[]
        }>('select result, user_id, changes from audit_log where request_id = $1', [requestId])
        if (reply.status === 422 && logged.length === 0) return expect(changed).toEqual([])
        expect(logged, `${reply.status} ${reply.message}`).toHaveLength(1)
        expect(logged[0]?.result).toBe(reply.status === 200 ? 1 : 0)
        expect(logged[0]?.user_id).not.toBeNull()
        const tables = [...new Set(logged[0]?.changes.map((change) => change.table))].toSorted()
        expect(tables).toEqual(expect.arrayContaining(changed))
        return undefined
      },
    )
    expect(failures).toEqual([])
  })

  it('succeeds with the input of this loop, except calls that need a code', () => {
    const failed = [...outcomes].filter(([, status]) => status !== 200).map(([name]) => name)
    // A second factor, an expired password and a phone need codes that only their own tests have.
    const needCodes = [
      'bindPhone.bind',
      'login.confirmEnrolment',
      'login.confirmPasskey',
      'login.recover',
      'login.renewPassword',
      'login.secondFactor',
      'login.secondFactorByPasskey',
      'login.stepUp',
      'login.stepUpByPasskey',
    ]
    expect(failed.toSorted()).toEqual(needCodes.filter((name) => outcomes.has(name)))
    // Guards the loop: without the triggers it would compare nothing.
    if (looksAtAll) expect(changedRows.size).toBeGreaterThan(outcomes.size / 2)
  })
})

async function arrange(name: string, feature: string, route: AnyRoute) {
  const input = sampleInput(route, await freshIds(feature, name.split('.')[1] ?? ''), true)
  Object.assign(input.body, fitting[name])
  const clerks = new Set(['changePassword', 'basicInfo', 'bindPhone', 'login'])
  const actor =
    feature.startsWith('own') && feature !== 'ownership'
      ? self
      : clerks.has(feature)
        ? fixture.green.clerk
        : fixture.platform.root
  if (name === 'session.verifyPermissions') {
    input.params['userId'] = actor.id
    Object.assign(input.body, { kind: 'user', rowId: fixture.green.clerk.id, field: 'phone', reason: '核对身份' })
  }
  return { input, token: await openSession(api, actor.id) }
}

describe('a change of many rows', () => {
  it('touches rows in linear proportion to the changed rows', async () => {
    await api.sql(
      "insert into role (organise_id, name, code, top_level, user_type) select $1, 'bulk' || n, 'BULK', 2, 1 from generate_series(1, 2000) n",
      [fixture.green.id],
    )
    const client = new pg.Client({ connectionString: superuserUrl(api.database) })
    await client.connect()
    const touched = async (rows: number): Promise<number> => {
      await client.query("begin; set local app.audited = 'on'")
      await client.query(
        `update role set name = name || 'x' where id in (select id from role where code = 'BULK' limit ${rows})`,
      )
      const { rows: counted } = await client.query<{ n: number }>(
        `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd)::int as n
         from pg_stat_xact_user_tables where relname in ('role', 'audit_pending')`,
      )
      await client.query('rollback')
      return counted[0]?.n ?? expect.unreachable('no count')
    }
    await client.query('analyze role')
    const [few, many] = [await touched(200), await touched(2000)]
    await client.end()
    expect(few).toBeGreaterThan(400)
    expect(many / few).toBeLessThan(15)
  })
})

describe('the log', () => {
  // Ensures enough entries, one about a secret, when the loop above covers one feature only.
  beforeAll(async () => {
    const { id } = await makePerson(api, { organiseId: '1', loginName: 'changes_reset' })
    for (let line = 0; line < 6; line++)
      await api.call(fixture.platform.root.token, staff.resetPassword, { body: { id } })
  })

  it('cannot be changed or emptied by the api’s role', async () => {
    const role = new pg.Client({ connectionString: apiUrl(api.database) })
    await role.connect()
    for (const text of [
      "update audit_log set content = 'x'",
      'delete from audit_log',
      'truncate audit_log',
      'update audit_chain set seq = 0',
      'delete from audit_device',
      'insert into audit_log (organise_id) values (1)',
      'drop table audit_log',
    ]) {
      await expect(role.query(text), text).rejects.toThrow(/permission denied|must be owner/)
    }
    await role.end()
  })

  it('proves its integrity by its hash chain, and locates tampering', async () => {
    const breaks = () => api.sql<{ organise_id: string; seq: string; what: string }>('select * from app.audit_breaks()')
    const [count] = await api.sql<{ n: number }>('select count(*)::int as n from audit_log')
    expect(count?.n).toBeGreaterThan(outcomes.size / 2)
    expect(await breaks()).toEqual([])
    const [victim] = await api.sql<{ id: string; seq: string; organise_id: string; content: string }>(
      'select id, seq, organise_id, content from audit_log where organise_id = 1 order by seq offset 3 limit 1',
    )
    await api.sql('update audit_log set content = $2 where id = $1', [victim?.id, 'nothing happened'])
    expect(await breaks()).toEqual([{ organise_id: '1', seq: victim?.seq, what: 'changed' }])
    await api.sql('update audit_log set content = $2 where id = $1', [victim?.id, victim?.content])
    expect(await breaks()).toEqual([])
    await api.sql('delete from audit_log where id = $1', [victim?.id])
    expect((await breaks()).map(({ what }) => what)).toEqual(['gap'])
  })

  it('shows that a secret changed, never its value', async () => {
    const texts = await api.sql<{ text: string }>(
      "select changes::text as text from audit_log where changes::text like '%password_hash%'",
    )
    expect(texts.length).toBeGreaterThan(0)
    for (const { text } of texts) expect(text).not.toContain('$argon2')
  })
})
