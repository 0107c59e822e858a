import { queueChargeEvents, writeReports } from '../core/charging/charge-intake.store.ts'
import type { IngestEffects } from '../core/devices/ingest.jobs.ts'
import { forgetPushes } from '../core/tariffs/tariff-push.store.ts'

/** Effects of device messages outside core/devices. */
export const ingestEffects: IngestEffects = {
  tariffsAsked: forgetPushes,
  chargeEvents: queueChargeEvents,
  chargeReports: writeReports,
}
