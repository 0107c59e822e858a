import { deviceScan, type Scanned } from '@wattdeck/contract/product/device-scan.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import type { CodeSigner } from '../../../kit/crypto/code-signer.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import * as store from './device-scan.store.ts'

type Resolve = Ctx<(typeof deviceScan)['resolve']>

/** Which code is meant, if it is one. A camera may have seen a forged one, so that needs our signature. */
async function codeOf({ db, query }: Resolve, signer: CodeSigner) {
  const { text, typed = false } = query
  const codeNo = text.includes('://') ? signer.read(text) : typed ? text.toUpperCase() : undefined
  if (text.includes('://') && codeNo === undefined) throw invalid('二维码无效，或不是本平台的二维码')
  return codeNo === undefined ? undefined : store.codeByNumber(db, codeNo)
}

async function resolve(ctx: Resolve, signer: CodeSigner): Promise<Scanned> {
  const { db, query } = ctx
  const found = await codeOf(ctx, signer)
  const deviceId = found === undefined ? await store.deviceIdBy(db, query.text) : found.deviceId
  if (found === undefined && (deviceId === undefined || query.text.includes('://'))) throw notFound()
  const device = (deviceId && (await store.readDevice(db, deviceId))) || null
  const portNo = found?.portNo ?? null
  const port = device === null || portNo === null ? null : await store.readPort(db, device.id, portNo)
  if (found === undefined) return { code: null, device, port }
  const { deviceId: _, ...code } = found
  return { code, device, port }
}

const deviceScanHandlers = ({ codes }: Pick<Deps, 'codes'>): Handlers<typeof deviceScan> => ({
  resolve: (ctx) => resolve(ctx, codes),

  place: async (ctx) => {
    const { db, actor, body } = ctx
    const device = orNotFound(await store.findDevice(db, body.deviceId))
    const place = await chosenPlace(db, actor, { siteId: body.siteId })
    // To another organisation devices are handed over in device management, by the platform.
    if (place.organise_id !== device.organise_id || place.site_id === null) throw notFound()
    await store.placeDevice(db, device.id, { place, lng: body.lng, lat: body.lat, by: actor.userName })
    ctx.setAuditDetail(device.device_no)
    await publishToOrganisation(
      db,
      { ...placeOf(actor), organise_id: device.organise_id },
      { kind: 'changed', list: 'device' },
    )
    return null
  },
})

export const deviceScanFeature = defineFeature(deviceScan, deviceScanHandlers)
