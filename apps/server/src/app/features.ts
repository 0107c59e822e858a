import { features as routes } from '@wattdeck/contract/all-routes.ts'
import type { FastifyInstance } from 'fastify'
import type { Merchants } from '../core/payments/merchants.ts'
import { batchHandlers } from '../features/system/batch/batch.routes.ts'
import { payNoticeHandlers } from '../features/open/pay-notice/pay-notice.routes.ts'
import { paySettingHandlers } from '../features/accounting/pay-setting/pay-setting.routes.ts'
import { openScreen } from '../features/dashboard/big-screen/big-screen.stream.ts'
import type { BatchKind } from '../kit/bulk/batch-kind.ts'
import type { ListExport } from '../kit/bulk/exports.ts'
import type { LiveHub } from '../kit/events/live.ts'
import { type Deps, implement, implementStream } from '../kit/http/http.ts'
import { payHooks } from './payments.ts'
import { features } from './features.gen.ts'

/** Batch operations and list exports of all features, for the api and the worker. */
export const batchKinds: ReadonlyMap<string, BatchKind> = new Map(
  features.flatMap((feature) => feature.batchKinds).map((kind) => [kind.kind, kind]),
)
export const listExports: ReadonlyMap<string, ListExport> = new Map(
  features.flatMap((feature) => feature.exports).map((list) => [list.list, list]),
)

/** Features with dependencies beyond the common ones, and streams, are registered individually. */
export function implementFeatures(app: FastifyInstance, deps: Deps, live: LiveHub, merchants: Merchants): void {
  for (const feature of features) feature.implement(app, deps)
  implement(app, deps, routes.batch, batchHandlers(batchKinds))
  implement(app, deps, routes.payNotice, payNoticeHandlers(deps.signer, merchants, payHooks))
  implement(app, deps, routes.paySetting, paySettingHandlers(deps.signer, merchants))
  implementStream(app, deps, routes.notification.live, (actor, { query }, request, reply) =>
    live.open(actor, query.devices ?? [], request, reply),
  )
  implementStream(app, deps, routes.bigScreen.heartbeat, (actor, { params }, request, reply) =>
    openScreen(deps, actor, params.id, request, reply),
  )
}
