import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { authWay, credentialList, deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { newBatchNo } from '../../../kit/bulk/batch-no.ts'
import type { DeviceAuthority } from '../../../kit/crypto/device-ca.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { fileType } from '../../../kit/bulk/exports.ts'
import { receiveSheet, templateOf } from '../../../kit/bulk/imports.ts'
import { readSheet } from '../../../kit/bulk/sheets/read-sheet.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { notifyHolders } from '../../../kit/events/notify-holders.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import type { SignerClient } from '../../../kit/crypto/signer-client.ts'
import { certifiable, enrolling, issueByCsr, issueKeys, newPassword } from './device-auth.issue.ts'
import { importKeys } from './device-auth.import.ts'
import * as store from './device-auth.store.ts'

const templateKey = 'template/device-auth.xlsx'

const credentialExport = exportOf('deviceAuth', credentialList, store.credentialSource, {
  columns: { keyText: { title: '密钥', of: (row) => row.fingerprint ?? row.keyText } },
})

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
/** Refreshes open lists. Events are stored at the caller's place, as row-level security requires. */
async function publishChange({ db, actor }: Some, devices: readonly { organise_id: string }[]): Promise<void> {
  for (const organise_id of new Set(devices.map((device) => device.organise_id)))
    await publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'deviceAuth' })
}

const timeText = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

function deviceAuthHandlers({
  deviceAuthority,
  signer,
  files,
}: Pick<Deps, 'deviceAuthority' | 'signer' | 'files'>): Handlers<typeof deviceAuth> {
  const configured = (): { authority: DeviceAuthority; signer: SignerClient } => {
    if (deviceAuthority === undefined) throw conflict('未配置设备证书颁发机构，不能签发证书')
    return { authority: deviceAuthority, signer }
  }
  return {
    list: ({ db, scope, query }) => listQuery(db, scope, credentialList, store.credentialSource, query),
    types: ({ db }) => store.listTypes(db),
    abilities: () =>
      Promise.resolve({
        authority: deviceAuthority?.name ?? null,
        authorityUntil: deviceAuthority === undefined ? null : timeText(deviceAuthority.notAfterMs),
      }),

    issueKeys: async (ctx) => {
      const { db, actor, body } = ctx
      const { deviceNos, ...terms } = body
      const ca = configured()
      const devices = await certifiable(db, deviceNos, 'deviceNos')
      const batch = await issueKeys(db, devices, { ...ca, by: actor.userName, terms })
      ctx.setAuditDetail(`${batch.batchNo}，${batch.count}台`)
      await publishChange(ctx, devices)
      return batch
    },

    issueByCsr: async (ctx) => {
      const { db, actor, body } = ctx
      const { deviceNo, csr, ...terms } = body
      const ca = configured()
      const [device] = await certifiable(db, [deviceNo], 'deviceNo')
      if (device === undefined) throw notFound()
      ctx.setAuditDetail(deviceNo)
      const certificate = await issueByCsr(db, device, csr, { ...ca, by: actor.userName, terms })
      await publishChange(ctx, [device])
      return certificate
    },

    setPassword: async (ctx) => {
      const { db, actor, body } = ctx
      const [device] = await store.lockDevices(db, [body.deviceNo])
      if (device === undefined) throw invalid('设备不存在', 'deviceNo')
      // Only this protocol checks a password; for others it would protect nothing.
      if (device.adapter !== 'ocpp16') throw invalid('设备的协议不使用口令', 'deviceNo')
      if (body.plain === true && (device.ocpp_profile ?? 1) > 1)
        throw conflict('设备已要求 TLS 连接，不能改为不加密连接')
      ctx.setAuditDetail(device.device_no)
      const { password, hash } = newPassword()
      await store.revokePassword(db, device.id, { by: actor.userName, reason: '已生成新口令' })
      const credential = { device, batchNo: newBatchNo('K'), by: actor.userName, way: authWay.code.own, hash }
      const id = await store.addPassword(db, credential)
      await store.setOcppAccess(db, device.id, hash, body.plain === true ? 1 : 2)
      // A device that is connected with the old password must reconnect with the new one.
      await ctx.enqueue('device.cut', { deviceIds: [device.id] })
      await publishChange(ctx, [device])
      return { id, password }
    },

    typeKey: async ({ db, actor, body }) => {
      const { password, hash } = newPassword()
      await store.setTypeKey(db, body.deviceTypeId, hash, actor.userName)
      return { key: password }
    },

    allowEnrol: async (ctx) => {
      const { db, body } = ctx
      const devices = await certifiable(db, body.deviceNos, 'deviceNos')
      const deviceIds = devices.map((device) => device.id)
      const allowed = await store.allowEnrol(db, deviceIds, body.hours)
      const had = body.deviceNos.filter((no) => !allowed.includes(no))
      if (had.length > 0) throw conflict(`设备已有过证书，须由人员签发：${had.slice(0, 5).join('、')}`)
      ctx.setAuditDetail(`${body.deviceNos.slice(0, 5).join('、')}，共${allowed.length}台，${body.hours}小时`)
      return { changed: allowed.length }
    },

    enrol: async (ctx) => {
      const { db, scope, body } = ctx
      const ca = configured()
      const device = await enrolling(db, body.deviceNo, body.key)
      ctx.setAuditDetail(device.device_no)
      const { organise_id: organiseId, agent_id: agentId, site_id: siteId } = device
      ctx.auditAs({ organiseId, agentId, siteId, userId: null, userName: null, loginName: null })
      const request = { ...ca, by: '设备', terms: {}, way: authWay.code.type }
      const { certificate, authority: chain } = await issueByCsr(db, device, body.csr, request)
      await notifyHolders(
        db,
        scope,
        { place: device, grant: { menu: menuKey.deviceAuth, action: 'add' }, except: '0' },
        {
          type: popupType.code.platformWarning,
          title: '设备已领取首张证书',
          body: `设备 ${device.device_no} 已凭型号密钥领取首张证书。如非本单位操作，请立即吊销。`,
          route: '/product/deviceAuth',
        },
      )
      return { certificate, authority: chain }
    },

    revoke: async (ctx) => {
      const { db, actor, body } = ctx
      const requestedCount = new Set(body.ids).size
      if ((await store.countCredentials(db, body.ids)) < requestedCount) throw notFound()
      const deviceIds = await store.revoke(db, body.ids, { by: actor.userName, reason: body.reason })
      if (deviceIds.length < requestedCount) throw conflict('所选凭证中有已吊销的，请刷新后重试')
      // Devices with another valid credential are disconnected, too: the connection may use the revoked one.
      await ctx.enqueue('device.cut', { deviceIds: [...new Set(deviceIds)] })
      ctx.setAuditDetail(body.reason)
      await publishChange(ctx, [placeOf(actor)])
      return { changed: deviceIds.length }
    },

    exportList: exportHandler(credentialExport),

    importSheet: prepared({
      prepare: async ({ file }) => {
        if (file === undefined) throw invalid('请选择文件')
        return readSheet(file.bytes)
      },
      handle: (ctx, sheet) => receiveSheet(ctx, importKeys, '导入设备密钥', sheet),
    }),

    importTemplate: prepared({
      prepare: async () => files.put(templateKey, await templateOf(importKeys), fileType.xlsx),
      handle: async () => ({ key: templateKey, name: '设备密钥导入模板.xlsx', type: fileType.xlsx }),
    }),
  }
}

export const deviceAuthFeature = defineFeature(deviceAuth, deviceAuthHandlers, {
  exports: [credentialExport],
  batchKinds: [importKeys],
})
