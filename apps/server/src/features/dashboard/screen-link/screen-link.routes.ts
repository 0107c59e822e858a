import { screenLink, screenLinkList, screenLinkMost } from '@wattdeck/contract/dashboard/screen-link.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, forbidden, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import type { ScreenSigner } from '../../../kit/crypto/screen-signer.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { requireRegion } from '../../_shared/region-path.store.ts'
import * as store from './screen-link.store.ts'

const dayMs = 86_400_000

/** Removes undefined fields, so that a token contains no unnecessary claims. */
const definedFields = <T extends Record<string, string | undefined>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }

const screenLinkHandlers = (signer: ScreenSigner): Handlers<typeof screenLink> => ({
  list: ({ db, scope, query }) => listQuery(db, scope, screenLinkList, store.linkSource, query),

  add: async (ctx) => {
    const { db, scope, actor, body } = ctx
    // A link shows the whole organisation, so a caller with a narrower scope cannot create one.
    if (scope.level > 1) throw forbidden()
    const place = await chosenPlace(db, actor, { organiseId: body.organiseId })
    await requireRegion(db, body)
    const { deviceFirstClass, provinceCode, cityCode, districtCode } = body
    if (deviceFirstClass !== undefined && !(await store.isBigCategory(db, deviceFirstClass)))
      throw invalid('请选择正确的设备大类', 'deviceFirstClass')
    if ((await store.countLive(db, place.organise_id)) >= screenLinkMost.live)
      throw conflict(`每个机构最多${screenLinkMost.live}个有效链接，请先撤销不用的链接`)
    // The database limits the days by its own clock, which may be slightly behind.
    const expires = Math.floor((Date.now() + body.days * dayMs) / 1000) - 5
    const token = signer.sign({
      organiseId: place.organise_id,
      expires,
      title: body.name,
      ...definedFields({ deviceFirstClass, province: provinceCode, city: cityCode, district: districtCode }),
    })
    const row = await store.addLink(db, {
      organise_id: place.organise_id,
      name: body.name,
      first_class: deviceFirstClass ?? null,
      province_code: provinceCode ?? null,
      city_code: cityCode ?? null,
      district_code: districtCode ?? null,
      token_hash: sha256(token),
      expires_at: new Date(expires * 1000).toISOString(),
      created_by: actor.userName,
    })
    ctx.setAuditDetail(`${body.name}，有效${body.days}天`)
    return { ...row, token }
  },

  revoke: async (ctx) => {
    const { db, actor, body } = ctx
    const link = orNotFound(await store.findLink(db, body.id))
    if (!(await store.revokeLink(db, body.id, actor.userName))) throw conflict('链接已失效')
    ctx.setAuditDetail(link.name)
    return null
  },
})

export const screenLinkFeature = defineFeature(screenLink, ({ screenLinks }) => screenLinkHandlers(screenLinks.signer))
