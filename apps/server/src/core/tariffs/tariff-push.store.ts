import { commandStatus, maxWaitHours, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { pushState } from '@wattdeck/contract/product/tariff-push.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { ykcPriceTable } from '@wattdeck/domain/tariff/ykc.ts'
import { sql } from 'kysely'
import { giveCommand } from '../devices/command.store.ts'
import type { Db } from '../../kit/db/db.ts'
import type { TariffAsked } from '../devices/ingest.jobs.ts'

const { toSend, sent, confirmed, failed } = pushState.code
/** So many are told at once. */
const most = 200

/** The version whose prices the pile says it counts by; undefined while nobody knows. */
export async function confirmedVersion(db: Db, deviceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select version_id as id from tariff_push
    where device_id = ${deviceId} and state = ${confirmed}`.execute(db)
  return rows[0]?.id
}

/** So many piles are compared at once. */
const mostCompared = 2000

/**
 * Piles that count money themselves, and whose version in force is not the one they were last told: whatever the reason,
 * a version that was published, another tariff, another site. Triggers leave the number of each pile for which that may
 * have changed. A pile's own number of its tariff is new, so that one which still has the old prices says so when it asks.
 * One worker at a time: of two, the one that began earlier could write down last what it saw.
 */
export async function wantPushes(db: Db): Promise<void> {
  const { rows } = await sql<{
    mine: boolean
  }>`select pg_try_advisory_xact_lock(hashtext('wattdeck tariff pushes')) as mine`.execute(db)
  if (rows[0]?.mine !== true) return
  await sql`with compared as (
      delete from tariff_push_due
      where id = any(array(select id from tariff_push_due order by id limit ${mostCompared})) returning device_id
    )
    insert into tariff_push (device_id, organise_id, agent_id, site_id, version_id, model_no)
    select device.id, device.organise_id, device.agent_id, device.site_id, tariff.version_id, coalesce(push.model_no % 9999, 0) + 1
    from device left join site on site.id = device.site_id
    join tariff on tariff.id = case when device.tariff_id is null then site.tariff_id else device.tariff_id end and tariff.status = 1
    left join tariff_push push on push.device_id = device.id
    where device.id in (select device_id from compared) and device.adapter = 'ykc' and device.deleted_at is null
      and tariff.version_id is not null
      and (push.version_id is distinct from tariff.version_id or push.organise_id <> device.organise_id
        or push.agent_id is distinct from device.agent_id or push.site_id is distinct from device.site_id)
    order by device.id
    on conflict (device_id) do update set organise_id = excluded.organise_id, agent_id = excluded.agent_id, site_id = excluded.site_id,
      version_id = excluded.version_id, model_no = case when tariff_push.version_id = excluded.version_id then tariff_push.model_no else excluded.model_no end,
      state = case when tariff_push.version_id = excluded.version_id then tariff_push.state else ${toSend} end,
      command_id = case when tariff_push.version_id = excluded.version_id then tariff_push.command_id end,
      reason = case when tariff_push.version_id = excluded.version_id then tariff_push.reason end,
      confirmed_at = case when tariff_push.version_id = excluded.version_id then tariff_push.confirmed_at end, updated_at = now()`.execute(
    db,
  )
}

type Due = { deviceId: string; modelNo: number; rules: TariffRules }

/** Tells piles their prices. One that is away is told when it comes, within a day; later it asks by itself. */
export async function sendPushes(db: Db): Promise<number> {
  const { rows } = await sql<Due>`select push.device_id as "deviceId", push.model_no as "modelNo", version.rules
    from tariff_push push join tariff_version version on version.id = push.version_id
    where push.state = ${sql.lit(toSend)} order by push.updated_at limit ${most} for update of push skip locked`.execute(
    db,
  )
  for (const { deviceId, modelNo, rules } of rows) {
    const table = ykcPriceTable(rules)
    const commandId =
      table &&
      (await giveCommand(db, {
        deviceId,
        command: { kind: 'setTariff', modelNo, lossPercent: 0, ...table },
        whenOffline: whenOffline.code.wait,
        livesS: maxWaitHours * 3600,
        by: { userId: null, name: '系统' },
      }))
    await sql`update tariff_push set state = ${commandId === undefined ? failed : sent}, command_id = ${commandId ?? null},
        reason = ${table === undefined ? 'unfit' : null}, updated_at = now()
      where device_id = ${deviceId} and state = ${toSend}`.execute(db)
  }
  return rows.length
}

const retryMinutes = 10

/** What nobody answered is said again: prices may be told twice without harm. What was refused waits for a person. */
export async function retryPushes(db: Db): Promise<void> {
  await sql`update tariff_push push set state = ${toSend}, command_id = null, updated_at = now()
    from device, device_command c where push.state = ${sql.lit(failed)} and push.updated_at < now() - make_interval(mins => ${retryMinutes})
      and device.id = push.device_id and device.online and c.id = push.command_id and c.status <> ${commandStatus.code.refused}`.execute(
    db,
  )
}

/** A pile that asks for prices, or names others than it has confirmed, is told again. What it confirmed counts no more. */
export async function forgetPushes(db: Db, asked: readonly TariffAsked[]): Promise<void> {
  if (asked.length === 0) return
  await sql`update tariff_push push set state = ${toSend}, command_id = null, confirmed_at = null, updated_at = now()
    from unnest(${asked.map(({ deviceId }) => deviceId)}::bigint[], ${asked.map(({ modelNo }) => modelNo ?? null)}::int[]) as u (device_id, model_no)
    where push.device_id = u.device_id and (push.model_no is distinct from u.model_no or push.state = ${failed})
      and (push.state <> ${sent} or push.updated_at < now() - interval '5 s')`.execute(db)
}

/** Whether this is the number of the tariff that the pile has confirmed, and of the version that holds now. */
export async function holdsTariff(db: Db, deviceId: string, modelNo: number): Promise<boolean> {
  const { rows } =
    await sql`select from tariff_push where device_id = ${deviceId} and model_no = ${modelNo} and state = ${confirmed}
    and version_id = app.version_in_force(device_id)`.execute(db)
  return rows.length > 0
}
