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

/** The code in the text, if there is one. A scanned address needs our signature, because a printed code may be forged. */
async function codeOf({ db, query }: Resolve, signer: CodeSigner) {
  const { text, typed = false } = query
  const codeNo = text.includes('://') ? signer.read(text) : typed ? text.toUpperCase() : undefined
  if (text.includes('://') && codeNo === undefined) throw invalid('二维码无效，或不是本平台的二维码')
  return codeNo === undefined ? undefined : store.codeByNumber(db, codeNo)
}

async function resolve(ctx: Resolve, signer: CodeSigner): Promise<Scanned> {
  const { db, query } = ctx
  const codeRow = await codeOf(ctx, signer)
  const deviceId = codeRow === undefined ? await store.deviceIdBy(db, query.text) : codeRow.deviceId
  if (codeRow === undefined && (deviceId === undefined || query.text.includes('://'))) throw notFound()
  const device = (deviceId && (await store.readDevice(db, deviceId))) || null
  const portNo = codeRow?.portNo ?? null
  const port = device === null || portNo === null ? null : await store.readPort(db, device.id, portNo)
  if (codeRow === undefined) return { code: null, device, port }
  const { deviceId: _, ...code } = codeRow
  return { code, device, port }
}

const deviceScanHandlers = ({ codes }: Pick<Deps, 'codes'>): Handlers<typeof deviceScan> => ({
  resolve: (ctx) => resolve(ctx, codes),

  place: async (ctx) => {
    const { db, actor, body } = ctx
    const device = orNotFound(await store.findDevice(db, body.deviceId))
    const place = await chosenPlace(db, actor, { siteId: body.siteId })
    // Only the platform moves devices to another organisation, in device management.
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
