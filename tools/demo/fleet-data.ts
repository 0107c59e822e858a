import { createHash } from 'node:crypto'
import { physicalIdOf, physicalIdText } from '../../packages/device-protocol/src/dny/frame.ts'
import type { Identity } from '../../apps/simulator/src/wire.ts'
import { asSuperuser } from '../ops/database.ts'

export type FleetOrder = {
  organiseId: string
  siteId?: string
  dny: number
  /** The number of DNY device numbers that belong to other fleets. */
  after?: number
  mqtt: number
  ocpp?: number
  ykc?: number
  ports?: number
}

/** A charger for cars has two connectors; other devices have as many as requested. */
const guns = 2

/**
 * Registers the devices of a simulated fleet on the platform. Existing devices stay. Only a simulated charge point has
 * a derivable password, which is the same in the next run.
 */
export async function registerFleet(database: string, order: FleetOrder): Promise<Identity[]> {
  const ports = order.ports ?? 10
  const identities: Identity[] = [
    ...Array.from({ length: order.dny }, (_, n): Identity => {
      const place = n + (order.after ?? 0)
      const printedNo = 1_000_001 + place
      const wireId = physicalIdText(physicalIdOf({ deviceKind: 5, printedNo }))
      return { adapter: 'dny', wireId, deviceNo: `0${printedNo}`, portCount: ports, iccid: iccidOf(place) }
    }),
    ...Array.from({ length: order.mqtt }, (_, n): Identity => {
      const deviceNo = `M${String(n + 1).padStart(8, '0')}`
      return { adapter: 'mqtt-json', wireId: deviceNo, deviceNo, portCount: ports, iccid: iccidOf(500_000 + n) }
    }),
    ...Array.from({ length: order.ocpp ?? 0 }, (_, n): Identity => {
      const deviceNo = `CP${String(n + 1).padStart(6, '0')}`
      const password = hashOf(`simulated ${deviceNo}`).slice(0, 40)
      return { adapter: 'ocpp16', wireId: deviceNo, deviceNo, portCount: guns, iccid: iccidOf(700_000 + n), password }
    }),
    ...Array.from({ length: order.ykc ?? 0 }, (_, n): Identity => {
      const deviceNo = `55031412${String(n + 1).padStart(6, '0')}`
      return { adapter: 'ykc', wireId: deviceNo, deviceNo, portCount: guns, iccid: iccidOf(800_000 + n) }
    }),
  ]
  await asSuperuser(database, async (client) => {
    for (const adapter of ['dny', 'mqtt-json', 'ocpp16', 'ykc'] as const) {
      const own = identities.filter((identity) => identity.adapter === adapter)
      const [first] = own
      if (first === undefined) continue
      const { portCount } = first
      const { rows } = await client.query<{ id: string }>(
        `select t.id from device_type t join dtu_protocol p on p.id = t.protocol_id where p.adapter = $1 order by t.port_count = $2 desc, t.id limit 1`,
        [adapter, portCount],
      )
      const type = rows[0]?.id
      if (type === undefined) throw new Error(`no device type uses adapter ${adapter}: run the setup first`)
      await client.query(
        `insert into device (organise_id, agent_id, site_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, ocpp_profile, password_hash)
         select $1, (select agent_id from site where id = $2), $2, no, '模拟设备' || no, $3, 0, 0, $4, wire, $5, case when hash is not null then 1 end, hash
         from unnest($6::text[], $7::text[], $8::text[]) as u (no, wire, hash) on conflict do nothing`,
        [
          order.organiseId,
          order.siteId ?? null,
          type,
          adapter,
          portCount,
          own.map(({ deviceNo }) => deviceNo),
          own.map(({ wireId }) => wireId),
          own.map(({ password }) => (password === undefined ? null : hashOf(password))),
        ],
      )
    }
  })
  return identities
}

/** The next boot counter of simulated MQTT devices. The platform ignores a device with a lower counter. */
export const nextBoot = (database: string): Promise<number> =>
  asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ boot: number }>(
      `select coalesce(max(greatest(s.beat_ord, s.told_ord, s.session) >> 40), 0)::int + 1 as boot from device_state s
       join device d on d.id = s.device_id where d.adapter = 'mqtt-json'`,
    )
    return rows[0]?.boot ?? 1
  })

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const iccidOf = (n: number) => `898604${String(n).padStart(14, '0')}`
