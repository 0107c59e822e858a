import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { type AnyRoute, envelope, fillPath, refusedEnvelope } from '@wattdeck/contract/kit/route.ts'
import { expect } from 'vitest'
import { isInScope } from '../../../../tools/check/tier.ts'
import { makeAlarm, makeIncident, makeTicket } from '../fixtures/alarms.ts'
import type { TestApi } from '../harness/api.ts'
import { makePasskey } from '../fixtures/factor-rows.ts'
import { catalogueFeatures, catalogueFields, makeCatalogue } from '../fixtures/catalogue-rows.ts'
import { addCrudRow, allCruds } from '../fixtures/crud-rows.ts'
import { makeModels, makeDevice } from '../fixtures/devices.ts'
import { makeCredential } from '../fixtures/credentials.ts'
import { makeCard, makeReplacement, makeSwipe } from '../fixtures/cards.ts'
import { makeCode } from '../fixtures/qr-rows.ts'
import { makeCoupon, makeGrant } from '../fixtures/coupons.ts'
import { makeAdjustment, makeBlock, makeMember, makeWhitelistEntry, recharge } from '../fixtures/members.ts'
import { makeDeskShift, makeOfflineRecharge } from '../fixtures/offline-recharges.ts'
import { makeMonthlyPlan, makePass } from '../fixtures/monthly-passes.ts'
import { plantOrder } from '../fixtures/orders.ts'
import {
  billedOrder,
  plantEnterpriseRefund,
  plantOrderRefund,
  plantRecharge,
  plantRechargeRefund,
} from '../fixtures/refunds.ts'
import { plantPayment } from '../fixtures/payment-rows.ts'
import { plantLink } from '../fixtures/screen-links.ts'
import { plantBreak } from '../fixtures/recon-rows.ts'
import { plantKey } from '../fixtures/open-keys.ts'
import { makeReplay } from '../fixtures/replays.ts'
import { makePerson, makeFixture, tenantMenus } from '../harness/people.ts'
import { makeTariff } from '../fixtures/tariffs.ts'
import type { Field, Input } from './samples.ts'

/** Shared by the loops over all routes. A new route is covered because it is in the contract. */
export type RouteFixture = Awaited<ReturnType<typeof makeRouteFixture>>

export const answering = allRoutes.filter(({ feature, route }) => route.encoding !== 'sse' && isInScope(feature))
export const nameOf = ({ route }: { route: AnyRoute }) => `${route.method} ${route.path}`

/** Rows of two organisations, with which every route is tested. */
export async function makeRouteFixture(api: TestApi) {
  const sequences = await api.sql<{ seq: string }>(
    "select quote_ident(sequence_schema) || '.' || quote_ident(sequence_name) as seq from information_schema.sequences where sequence_schema = 'public'",
  )
  for (const [place, { seq }] of sequences.entries())
    await api.sql(`alter sequence ${seq} restart with ${(place + 1) * 1_000_000}`)
  const fixture = await makeFixture(api)
  const viewer = await makePerson(api, {
    organiseId: fixture.green.id,
    loginName: 'green_viewer',
    menus: tenantMenus,
    actions: false,
  })
  const models = await makeModels(api)
  const rowsOf = async (name: 'green' | 'swift') => {
    const { id, agentId, siteId, departmentId, admin, clerk } = fixture[name]
    const [notice] = await api.sql<{ id: string }>(
      'insert into notification (organise_id, user_id, type, title, body) values ($1, $2, 0, $3, $3) returning id',
      [id, clerk.id, `通知${name}`],
    )
    const [audit] = await api.sql<{ id: string }>(
      "select set_config('app.scope_level', '0', false), set_config('app.organise_id', '0', false), set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false), app.audit_append(jsonb_build_object('organise_id', $1::bigint, 'user_id', $2::bigint, 'user_name', $3::text, 'login_name', $3::text, 'module', 'm', 'kind', 'edit', 'content', 'c', 'path', '/', 'duration_ms', 1, 'result', 1, 'request_id', 'r')) as id",
      [id, admin.id, `名${name}`],
    )
    const objectKey = `picture/${id}/${crypto.randomUUID()}`
    await api.deps.files.put(objectKey, Buffer.from(`bytes of ${name}`))
    const [picture] = await api.sql<{ id: string }>(
      `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, width, height, attached)
       values ($1, $2, 'picture', $3, $4, 'image/webp', 1, 1, 1, true) returning id`,
      [id, clerk.id, objectKey, `${name}.webp`],
    )
    const [view] = await api.sql<{ id: string }>(
      `insert into saved_view (organise_id, user_id, list_key, name, query, shared, created_by)
       values ($1, $2, '/seeker/api/employee/pageList', $3, 'status=1', true, $3) returning id`,
      [id, admin.id, `视图${name}`],
    )
    const [own] = await api.sql<{ id: string }>('select id from session where user_id = $1', [clerk.id])
    const [help] = await api.sql<{ id: string }>(
      "insert into help_document (type, title, body) values (1, $1, '草稿') returning id",
      [`草稿${name}`],
    )
    const [area] = await api.sql<{ id: string }>(
      'insert into operation_area (organise_id, name) values ($1, $2) returning id',
      [id, `区域${name}`],
    )
    const device = await makeDevice(api, {
      organiseId: id,
      agentId: fixture[name].subAgentId,
      siteId,
      typeId: models.mqtt,
      name: `设备${name}`,
    })
    const alarm = await makeAlarm(api, device)
    const member = await makeMember(api, {
      organiseId: id,
      agentId: fixture[name].subAgentId,
      siteId,
      nickname: `会员${name}`,
    })
    await recharge(api, member, 100)
    const couponId = await makeCoupon(api, { organiseId: id }, { makerId: admin.id, name: `券${name}` })
    const [wallet] = await api.sql<{ id: string }>('select id from account where owner_id = $1', [member.id])
    const [app] = await api.sql<{ id: string }>('select id from member_app where organise_id = $1', [id])
    const place = { organiseId: id, agentId: fixture[name].subAgentId, siteId }
    const rechargeId = await plantRecharge(api, id, member.id)
    const billed = await billedOrder(api, fixture[name], models, member.id)
    const tariff = await makeTariff(api, { organiseId: id, deviceIds: [device] })
    const code = await makeCode(api, { ...place, deviceId: device })
    const paying = await plantPayment(api, { ...place, memberId: member.id })
    const storedCard = await makeCard(api, { organiseId: id, siteId })
    const monthlyPlan = await makeMonthlyPlan(api, { organiseId: id }, { name: `包月${name}` })
    return {
      device,
      ...(await plantOrder(api, device, name)),
      alarm,
      tariff: tariff.id,
      tariffVersion: tariff.versionId,
      incident: await makeIncident(api, id, `事件${name}`),
      ticket: await makeTicket(api, device),
      member: member.id,
      memberApp: app?.id ?? '',
      openKey: await plantKey(api, id, `密钥${name}`),
      account: wallet?.id ?? '',
      paidRecharge: rechargeId,
      refundOrder: await plantOrderRefund(api, billed, admin.id),
      rechargeRefund: await plantRechargeRefund(api, rechargeId, { makerId: admin.id }),
      enterpriseRefund: await plantEnterpriseRefund(api, member.id, { makerId: admin.id }),
      adjustment: await makeAdjustment(api, member, admin.id),
      whitelistEntry: await makeWhitelistEntry(api, { organiseId: id }, { makerId: admin.id, phone: '13900000002' }),
      coupon: couponId,
      couponGrant: await makeGrant(api, couponId, member.id),
      // A phone of no member, so that the fixture's member may charge.
      block: await makeBlock(api, fixture[name], { phone: '13900000001' }),
      offlineRecharge: await makeOfflineRecharge(api, member.id, admin.id),
      storedCard: storedCard.id,
      cardReplacement: await makeReplacement(api, storedCard, admin.id),
      cardSwipe: await makeSwipe(api, storedCard, device),
      deskShift: await makeDeskShift(api, { memberId: member.id, clerkId: admin.id, closed: true }),
      monthlyPlan,
      planOrder: (await makePass(api, member.id, monthlyPlan)).orderNo,
      code: code.id,
      credential: await makeCredential(api, device),
      replay: await makeReplay(api, device),
      screenLink: await plantLink(api, id, `大屏${name}`),
      ...paying,
      ...(await plantBreak(api, {
        organiseId: id,
        merchantId: paying.merchant,
        paymentId: paying.payment,
        makerId: admin.id,
      })),
      organise: id,
      agent: agentId,
      site: siteId,
      department: departmentId,
      user: clerk.id,
      role: clerk.roleId ?? '',
      notification: notice?.id ?? '',
      log: audit?.id ?? '',
      file: picture?.id ?? '',
      savedView: view?.id ?? '',
      session: own?.id ?? '',
      passkey: await makePasskey(api, clerk.id),
      helpDocument: help?.id ?? '',
      operationArea: area?.id ?? '',
    }
  }
  // The catalogue is shared by all organisations, so none of it is foreign.
  const green: Record<string, string> = { ...(await rowsOf('green')), ...(await makeCatalogue(api)) }
  for (const crud of Object.values(allCruds).filter(({ name }) => catalogueFeatures[name] === undefined))
    green[crud.name] = (await addCrudRow(api, fixture.platform.root.token, crud)).id
  const swift: Record<string, string> = await rowsOf('swift')
  const ownIds = (feature: string) => (field: Field) => green[kindOf(feature, field)] ?? '1'
  const foreignId = (feature: string, field: Field): string | undefined => swift[kindOf(feature, field)]
  return { fixture, viewer, models, swift, ownIds, foreignId }
}

/** The kind of row that a field references, by its name and its feature. */
export function kindOf(feature: string, { name }: Field): string {
  const named: Record<string, string> = {
    organiseId: 'organise',
    agentId: 'agent',
    parentAgentId: 'agent',
    siteId: 'site',
    siteIds: 'site',
    departmentId: 'department',
    roleId: 'role',
    roleIds: 'role',
    userId: 'user',
    userIds: 'user',
    licenceFileId: 'file',
    pictureId: 'file',
    ...catalogueFields,
    deviceId: 'device',
    targetDeviceId: 'device',
    alarmId: 'alarm',
    incidentId: 'incident',
    assigneeId: 'user',
    pictureIds: 'file',
    memberId: 'member',
    cardId: 'storedCard',
    replacementId: 'cardReplacement',
    appId: 'memberApp',
    ownerId: 'member',
    orderNo: 'order',
    tariffId: 'tariff',
    versionId: 'tariffVersion',
    merchantId: 'merchant',
    repairId: 'repair',
    keyId: 'merchantKey',
    testId: 'payTest',
    rechargeNo: feature === 'rechargeRefund' ? 'paidRecharge' : 'recharge',
    tierId: 'tier',
    shiftId: 'deskShift',
    clerkId: 'user',
    planId: 'monthlyPlan',
    passOrderNo: 'planOrder',
  }
  const features: Record<string, string> = {
    department: 'department',
    role: 'role',
    staff: 'user',
    log: 'log',
    notification: 'notification',
    file: 'file',
    ownership: 'site',
    organise: 'organise',
    operatorInfo: 'agent',
    site: 'site',
    siteDetail: 'site',
    savedView: 'savedView',
    ownSession: 'session',
    ownFactor: 'passkey',
    helpDocument: 'helpDocument',
    userMaintenance: 'user',
    operationArea: 'operationArea',
    ...catalogueFeatures,
    deviceManage: 'device',
    deviceDetail: 'device',
    alarmCenter: 'alarm',
    repairTicket: 'ticket',
    qrCodeManage: 'code',
    deviceAuth: 'credential',
    messageReplay: 'replay',
    balanceAdjustment: 'adjustment',
    blacklist: 'block',
    whitelist: 'whitelistEntry',
    coupon: 'coupon',
    couponGrant: name === 'couponId' ? 'coupon' : name === 'memberId' ? 'member' : 'couponGrant',
    chargingMini: 'memberApp',
    openKey: 'openKey',
    offlineRecharge: 'offlineRecharge',
    storedCard: 'storedCard',
    deskShift: 'deskShift',
    accountDetail: 'account',
    screenLink: 'screenLink',
    consumptionStandard: 'tariff',
    tariffPush: name === 'ids' ? 'device' : 'tariff',
    tariffLab: 'tariff',
    consumeOrder: 'order',
    refundOrder: 'refundOrder',
    rechargeRefund: 'rechargeRefund',
    enterpriseRefund: 'enterpriseRefund',
    completedOrder: 'order',
    unfinishedOrder: 'order',
    orderReview: 'order',
    chargingOrder: 'order',
    payOrder: 'payment',
    reconciliation: 'reconBreak',
    rechargeRecord: 'recharge',
    rechargeThreshold: 'rechargePlan',
    monthlyPlan: 'monthlyPlan',
    memberCardBuy: 'planOrder',
    paySetting: 'merchant',
    payAuth: 'merchant',
  }
  return named[name] ?? features[feature] ?? allCruds[feature]?.name ?? 'menu'
}

export async function send(api: TestApi, route: AnyRoute, token: string | undefined, input: Input) {
  const form = new URLSearchParams(input.body).toString()
  const json = route.encoding === 'json'
  const search = new URLSearchParams(input.query).toString()
  const response = await api.app.inject({
    method: route.method,
    url: fillPath(route.path, input.params) + (search === '' ? '' : `?${search}`),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(route.method === 'POST'
        ? {
            'idempotency-key': crypto.randomUUID(),
            'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
          }
        : {}),
    },
    ...(route.method === 'POST' && route.encoding !== 'multipart'
      ? { payload: json ? JSON.stringify(input.body) : form }
      : {}),
  })
  return { status: response.statusCode, text: response.body }
}

// Only a refusal of the input (422) can name fields.
const plainRefusal = refusedEnvelope.omit({ fields: true })
export function expectContract(route: AnyRoute, reply: { status: number; text: string }) {
  // A file has no envelope; a refusal to send it has one.
  if (route.reply === 'plain' && !reply.text.startsWith('{"success":false')) return expect(reply.text).not.toBe('')
  if (route.reply === 'file' && reply.status === 200) return expect(reply.text).not.toContain('"success"')
  const refused = reply.status === 422 ? refusedEnvelope : plainRefusal
  const schema = reply.status === 200 ? envelope(route.data) : refused
  const parsed = schema.safeParse(JSON.parse(reply.text))
  return expect(
    parsed.error?.issues ?? [],
    `${route.path} answered ${reply.status} ${reply.text.slice(0, 200)}`,
  ).toEqual([])
}
