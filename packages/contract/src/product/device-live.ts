import { z } from 'zod'
import { row, time } from '../kit/wire.ts'

/** The screen update of a device message. Powers in 0.1 W, voltages in 0.1 V, as stored. */
export type PortPatch = z.infer<typeof PortPatch>
export const PortPatch = row({
  portNo: z.int(),
  status: z.int(),
  powerDw: z.int().nullable(),
  voltageDv: z.int().nullable(),
  currentMa: z.int().nullable(),
  energyWh: z.int().nullable(),
  minutes: z.int().nullable(),
  temperatureC: z.int().nullable(),
  orderNo: z.string().nullable(),
  reportedAt: time.nullable(),
})

export type DevicePatch = z.infer<typeof DevicePatch>
export const DevicePatch = row({
  id: z.string(),
  online: z.boolean(),
  lastSeenAt: time.nullable(),
  csq: z.int().nullable(),
  temperatureC: z.int().nullable(),
  voltageDv: z.int().nullable(),
  /** Only changed ports. */
  ports: z.array(PortPatch),
})
