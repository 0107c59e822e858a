import { queueChargeEvents, takeReports } from '../core/charging/charge-intake.store.ts'
import type { IngestEffects } from '../core/devices/ingest.jobs.ts'
import { forgetPushes } from '../core/tariffs/tariff-push.store.ts'

/** What messages of devices change outside core/devices. */
export const ingestEffects: IngestEffects = {
  tariffsAsked: forgetPushes,
  chargeEvents: queueChargeEvents,
  chargeReports: takeReports,
}
