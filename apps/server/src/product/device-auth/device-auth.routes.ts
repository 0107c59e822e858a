import { authWay, type deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { placeOf } from '../../kit/actor.ts'
import { newBatchNo } from '../../kit/batch-no.ts'
import type { DeviceCa } from '../../kit/device-ca.ts'
import { requestExport } from '../../kit/exports.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import type { Deps } from '../../kit/http.ts'
import { tellOrganise } from '../../kit/outbox.ts'
import { conflict, invalid, notFound } from '../../kit/refusal.ts'
import { credentialExport } from './device-auth.export.ts'
import { certifiable, enrolling, issueByCsr, issueKeys, newPassword } from './device-auth.issue.ts'
import * as store from './device-auth.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
/** Open lists read themselves again. What is told stands where its teller stands, as row security wants. */
async function tellChanged({ db, actor }: Some, devices: readonly { organise_id: string }[]): Promise<void> {
  for (const organise_id of new Set(devices.map((device) => device.organise_id)))
    await tellOrganise(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'deviceAuth' })
}

const timeText = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export function deviceAuthHandlers({ deviceCa }: Pick<Deps, 'deviceCa'>): Handlers<typeof deviceAuth> {
  const authority = (): DeviceCa => {
    if (deviceCa === undefined) throw conflict('未配置设备证书颁发机构，不能签发证书')
    return deviceCa
  }
  return {
    list: ({ db, scope, query }) => store.listCredentials(db, scope, query),
    types: ({ db, scope }) => store.listTypes(db, scope),
    abilities: () =>
      Promise.resolve({
        authority: deviceCa?.name ?? null,
        authorityUntil: deviceCa === undefined ? null : timeText(deviceCa.notAfterMs),
      }),

    issueKeys: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const { deviceNos, ...terms } = body
      const ca = authority()
      const devices = await certifiable(db, scope, deviceNos, 'deviceNos')
      const made = await issueKeys(db, scope, devices, { ca, by: actor.userName, terms })
      ctx.note(`${made.batchNo}，${made.count}台`)
      await tellChanged(ctx, devices)
      return made
    },

    issueByCsr: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const { deviceNo, csr, ...terms } = body
      const ca = authority()
      const [device] = await certifiable(db, scope, [deviceNo], 'deviceNo')
      if (device === undefined) throw notFound()
      ctx.note(deviceNo)
      const made = await issueByCsr(db, scope, device, csr, { ca, by: actor.userName, terms })
      await tellChanged(ctx, [device])
      return made
    },

    setPassword: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const [device] = await store.lockDevices(db, scope, [body.deviceNo])
      if (device === undefined) throw invalid('设备不存在', 'deviceNo')
      if (device.adapter === 'mqtt-json' || device.adapter === 'dny') throw invalid('设备的协议不使用口令', 'deviceNo')
      ctx.note(device.device_no)
      const { password, hash } = newPassword()
      await store.revokePassword(db, scope, device.id, { by: actor.userName, reason: '已生成新口令' })
      const made = { device, batchNo: newBatchNo('K'), by: actor.userName, way: authWay.code.own, hash }
      const id = await store.addPassword(db, scope, made)
      if (device.adapter === 'ocpp16')
        await store.setOcppAccess(db, scope, device.id, hash, body.plain === true ? 1 : 2)
      // Whoever is connected by the password before must come again with the new one.
      await ctx.enqueue('device.cut', { deviceIds: [device.id] })
      await tellChanged(ctx, [device])
      return { id, password }
    },

    typeKey: async ({ db, scope, actor, body }) => {
      const { password, hash } = newPassword()
      await store.setTypeKey(db, scope, body.deviceTypeId, hash, actor.userName)
      return { key: password }
    },

    enrol: async (ctx) => {
      const { db, scope, body } = ctx
      const ca = authority()
      const device = await enrolling(db, scope, body.deviceNo, body.key)
      ctx.note(device.device_no)
      const { organise_id: organiseId, agent_id: agentId, site_id: siteId } = device
      ctx.auditAs({ organiseId, agentId, siteId, userId: null, userName: null, loginName: null })
      const asked = { ca, by: '设备', terms: {}, way: authWay.code.type }
      const { certificate, authority: chain } = await issueByCsr(db, scope, device, body.csr, asked)
      return { certificate, authority: chain }
    },

    revoke: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const wanted = new Set(body.ids).size
      if ((await store.countCredentials(db, scope, body.ids)) < wanted) throw notFound()
      const deviceIds = await store.revoke(db, scope, body.ids, { by: actor.userName, reason: body.reason })
      if (deviceIds.length < wanted) throw conflict('所选凭证中有已吊销的，请刷新后重试')
      // Those with another good credential are cut, too: the line may be open by the one that was revoked.
      await ctx.enqueue('device.cut', { deviceIds: [...new Set(deviceIds)] })
      ctx.note(body.reason)
      await tellChanged(ctx, [placeOf(actor)])
      return { changed: deviceIds.length }
    },

    exportList: async (ctx) => {
      ctx.note(ctx.body.conditions ?? '全部')
      ctx.say('导出任务已提交，请前往「下载管理」查看')
      return requestExport(ctx, credentialExport, ctx.body)
    },
  }
}
