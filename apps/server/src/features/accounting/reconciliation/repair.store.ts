import {
  breakFlow,
  breakStatus,
  repairAction,
  repairFlow,
  repairState,
} from '@wattdeck/contract/accounting/recon-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

type Params = {
  organiseId: string
  breakId: string
  action: number
  posting: string | null
  reason: string
  byId: string
  by: string
}
/** Returns undefined if another request already waits. */
export async function addRepair(db: Db, params: Params): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into recon_repair (organise_id, break_id, action, posting, reason, created_by_id, created_by)
    values (${params.organiseId}, ${params.breakId}, ${params.action}, ${params.posting}::jsonb, ${params.reason}, ${params.byId}, ${params.by})
    on conflict (break_id) where status = 1 do nothing returning id`.execute(db)
  return rows[0]?.id
}

type RepairRow = {
  id: string
  breakId: string
  action: number
  reason: string
  status: number
  createdById: string
  createdAt: string
}
/** Locked until the transaction ends. */
export async function lockRepair(db: Db, id: string): Promise<RepairRow | undefined> {
  const { rows } = await sql<RepairRow>`
    select id, break_id as "breakId", action, reason, status, created_by_id as "createdById", to_json(created_at) #>> '{}' as "createdAt"
    from recon_repair where id = ${id} for update`.execute(db)
  return rows[0]
}

/** Whether the posting planned now equals the posting that the requester saw. */
export async function matchesPlannedPosting(db: Db, id: string, posting: string | null): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select posting is not distinct from ${posting}::jsonb as same from recon_repair where id = ${id}`.execute(db)
  return rows[0]?.same === true
}

type Decision = { as: 'approve' | 'turnDown'; byId: string; by: string; reason: string | null }
export async function decide(db: Db, id: string, decision: Decision): Promise<boolean> {
  const done = await sql`
    update recon_repair set status = ${repairFlow.to(decision.as)}, decided_by_id = ${decision.byId}, decided_by = ${decision.by}, decided_at = now(),
      decision = ${decision.reason}
    where id = ${id} and status = ${repairState.code.waiting}`.execute(db)
  return done.numAffectedRows === 1n
}

export async function withdraw(db: Db, id: string): Promise<boolean> {
  const done = await sql`
    update recon_repair set status = ${repairFlow.to('withdraw')} where id = ${id} and status = ${repairState.code.waiting}`.execute(
    db,
  )
  return done.numAffectedRows === 1n
}

type Closing = { action: number; by: string; why: string; key: string | null }
export async function closeBreak(db: Db, id: string, { action, by, why, key }: Closing): Promise<boolean> {
  const to = breakFlow.to(action === repairAction.code.explain ? 'explain' : 'repair')
  const done = await sql`
    update recon_break set status = ${to}, closed_at = now(), closed_by = ${by}, why = ${why}, repair_key = ${key}
    where id = ${id} and status = ${breakStatus.code.open}`.execute(db)
  return done.numAffectedRows === 1n
}

export async function assignBreak(db: Db, id: string, userId: string): Promise<void> {
  await sql`update recon_break set owner_id = ${userId} where id = ${id}`.execute(db)
}

/** Users of the organisation itself, not of an agent or site, can own a difference. */
const ofOrganise = (organiseId: string) =>
  sql`organise_id = ${organiseId} and agent_id is null and site_id is null and status = 1 and deleted_at is null`
type Person = { id: string; name: string }

/** Candidates for assignment; the first 200 in a large organisation. */
export async function peopleOf(db: Db, organiseId: string): Promise<Person[]> {
  const { rows } =
    await sql<Person>`select id, name from user_account where ${ofOrganise(organiseId)} order by name, id limit 200`.execute(
      db,
    )
  return rows
}

export async function findPerson(db: Db, organiseId: string, id: string): Promise<Person | undefined> {
  const { rows } =
    await sql<Person>`select id, name from user_account where ${ofOrganise(organiseId)} and id = ${id}`.execute(db)
  return rows[0]
}
