import { commandStatus, maxWaitHours, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { pushState } from '@wattdeck/contract/product/tariff-push.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { ykcPriceTable } from '@wattdeck/domain/tariff/ykc.ts'
import { sql } from 'kysely'
import { enqueueCommand } from '../devices/command.store.ts'
import type { Db } from '../../kit/db/db.ts'
import type { TariffRequest } from '../devices/ingest.jobs.ts'

const { toSend, sent, confirmed, failed } = pushState.code
/** Pushes per round. */
const most = 200

/** The tariff version that the pile has confirmed; undefined if unconfirmed. */
export async function confirmedVersion(db: Db, deviceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select version_id as id from tariff_push
    where device_id = ${deviceId} and state = ${confirmed}`.execute(db)
  return rows[0]?.id
}

/** Piles compared per round. */
const mostCompared = 2000

/**
 * Records a push for each pile that counts money and whose version in force differs from the last pushed one. Triggers
 * enqueue the id of each pile that a new version, another tariff or another site may affect. The model number increases,
 * so that a pile with old prices is recognised when it requests prices. Only one worker runs this at a time: with two,
 * the older snapshot could be written last.
 */
export async function recordPushes(db: Db): Promise<void> {
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

/** Sends prices to piles. An offline pile gets them when it reconnects within `maxWaitHours`; later it requests them itself. */
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
      (await enqueueCommand(db, {
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

/** Retries pushes without an answer, because a push is idempotent. A refused push waits for staff. */
export async function retryPushes(db: Db): Promise<void> {
  await sql`update tariff_push push set state = ${toSend}, command_id = null, updated_at = now()
    from device, device_command c where push.state = ${sql.lit(failed)} and push.updated_at < now() - make_interval(mins => ${retryMinutes})
      and device.id = push.device_id and device.online and c.id = push.command_id and c.status <> ${commandStatus.code.refused}`.execute(
    db,
  )
}

/** Pushes again to a pile that requests prices or names an unconfirmed model number. Its confirmation is discarded. */
export async function forgetPushes(db: Db, requests: readonly TariffRequest[]): Promise<void> {
  if (requests.length === 0) return
  await sql`update tariff_push push set state = ${toSend}, command_id = null, confirmed_at = null, updated_at = now()
    from unnest(${requests.map(({ deviceId }) => deviceId)}::bigint[], ${requests.map(({ modelNo }) => modelNo ?? null)}::int[]) as u (device_id, model_no)
    where push.device_id = u.device_id and (push.model_no is distinct from u.model_no or push.state = ${failed})
      and (push.state <> ${sent} or push.updated_at < now() - interval '5 s')`.execute(db)
}

/** Whether the pile has confirmed this model number, and it belongs to the version in force. */
export async function holdsTariff(db: Db, deviceId: string, modelNo: number): Promise<boolean> {
  const { rows } =
    await sql`select from tariff_push where device_id = ${deviceId} and model_no = ${modelNo} and state = ${confirmed}
    and version_id = app.version_in_force(device_id)`.execute(db)
  return rows.length > 0
}
