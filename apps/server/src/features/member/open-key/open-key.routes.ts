import { randomBytes } from 'node:crypto'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { keptSecret, openKey, openKeyList, mostLiveKeys, secretGrace } from '@wattdeck/contract/member/open-key.ts'
import type { Vault } from '../../../kit/crypto/vault.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { assertOrganiseStaff } from '../_shared/organise-staff.ts'
import * as store from './open-key.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>

async function toChange(ctx: Some, id: string) {
  assertOrganiseStaff(ctx)
  return orNotFound(await store.lockKey(ctx.db, id))
}

async function assertRoom({ db }: Pick<Some, 'db'>, organiseId: string): Promise<void> {
  if ((await store.countLive(db, organiseId)) >= mostLiveKeys)
    throw conflict(`每个机构最多启用${mostLiveKeys}个密钥，请先停用不用的密钥`)
}

const publishChange = ({ db }: Pick<Some, 'db'>, organise_id: string) =>
  publishToOrganisation(db, { organise_id, agent_id: null, site_id: null }, { kind: 'changed', list: 'openKey' })

const networkText = (networks: readonly string[]) => (networks.length === 0 ? '不限制网段' : networks.join('、'))

const openKeyHandlers = (vault: Vault): Handlers<typeof openKey> => ({
  list: (ctx) => {
    assertOrganiseStaff(ctx)
    return listQuery(ctx.db, ctx.scope, openKeyList, store.keySource, ctx.query)
  },

  add: async (ctx) => {
    const { db, actor, body } = ctx
    assertOrganiseStaff(ctx)
    const { organise_id: organiseId } = await chosenPlace(db, actor, { organiseId: body.organiseId })
    await assertRoom(ctx, organiseId)
    const { name, networks = [] } = body
    const [appKey, secret] = [randomBytes(16).toString('hex'), newSecret()]
    const sealed = vault.seal(secret)
    const id = await store.addKey(db, { organiseId, name, appKey, sealed, networks, by: actor.userName })
    ctx.setAuditDetail(`${name} ${appKey}，${networkText(networks)}`)
    await publishChange(ctx, organiseId)
    return { id, appKey, secret }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const key = await toChange(ctx, body.id)
    const { name, networks = [] } = body
    await store.editKey(db, key.id, name, networks)
    ctx.setAuditDetail(`${name} ${key.appKey}，${networkText(networks)}`)
    await publishChange(ctx, key.organiseId)
    return null
  },

  rotate: async (ctx) => {
    const { db, body } = ctx
    const key = await toChange(ctx, body.id)
    const { grace } = body
    const keeps = body.keeps ?? keptSecret.code.current
    if (grace !== secretGrace.code.none) {
      // Without this choice, a second rotation after a lost reply would end the secret that the server still signs with.
      if (key.oldIsLive && body.keeps === undefined)
        throw conflict('上次轮换的旧密钥仍有效，请刷新后选择保留哪一个密钥')
      if (!key.oldIsLive && keeps === keptSecret.code.old) throw conflict('旧密钥已失效，请刷新后重试')
    }
    const secret = newSecret()
    await store.rotateKey(db, key.id, { sealed: vault.seal(secret), graceHours: grace, keeps })
    ctx.setAuditDetail(
      `${key.name} ${key.appKey}，原密钥${secretGrace.show(grace).label}${grace === 0 ? '' : '后失效'}`,
    )
    await publishChange(ctx, key.organiseId)
    return { id: key.id, appKey: key.appKey, secret }
  },

  enable: async (ctx) => {
    const key = await toChange(ctx, ctx.body.id)
    await assertRoom(ctx, key.organiseId)
    return switchTo(ctx, key, enabledStatus.code.enabled)
  },

  disable: async (ctx) => switchTo(ctx, await toChange(ctx, ctx.body.id), enabledStatus.code.disabled),

  endOld: async (ctx) => {
    const key = await toChange(ctx, ctx.body.id)
    if (!(await store.endOld(ctx.db, key.id))) throw conflict('旧密钥已失效')
    ctx.setAuditDetail(`${key.name} ${key.appKey}`)
    ctx.setMessage('旧密钥已作废')
    await publishChange(ctx, key.organiseId)
    return null
  },
})

const newSecret = () => randomBytes(32).toString('hex')

type Key = NonNullable<Awaited<ReturnType<typeof store.lockKey>>>
async function switchTo(ctx: Ctx<typeof openKey.enable>, key: Key, status: 0 | 1): Promise<null> {
  if (!(await store.setKeyStatus(ctx.db, key.id, status))) throw conflict('密钥状态已变更，请刷新后重试')
  ctx.setAuditDetail(`${key.name} ${key.appKey}`)
  ctx.setMessage(`${key.name}已${enabledStatus.show(status).label}`)
  await publishChange(ctx, key.organiseId)
  return null
}

export const openKeyFeature = defineFeature(openKey, ({ vault }) => openKeyHandlers(vault))
