import { type RefundStepAction, stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** Refunds that three people make. */
type Table = 'recharge_refund' | 'enterprise_refund'
type By = { id: string; name: string }

/** As a condition: it stands where this step begins. */
export const stepAllowed = (action: RefundStepAction) => sql`status = any(${stepFlow.from(action)})`

/** Nobody does two steps: the condition says so, and the table does. */
const another = (byId: string) =>
  sql`created_by_id is distinct from ${byId} and audited_by_id is distinct from ${byId} and approved_by_id is distinct from ${byId}`

/** The second person's word; a failure in words, or none. */
export async function writeAudit(db: Db, table: Table, id: string, by: By, failure: string | null): Promise<boolean> {
  const action = failure === null ? 'audit' : 'auditFail'
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set status = ${stepFlow.to(action)}, audited_by_id = ${by.id}, audited_by = ${by.name}, audited_at = now(),
      decision = ${failure}, finished_at = case when ${failure}::text is not null then now() end
    where id = ${id} and ${stepAllowed(action)} and ${another(by.id)}`.execute(db)
  return numAffectedRows === 1n
}

/** The third person's. */
export async function writeApproval(
  db: Db,
  table: Table,
  id: string,
  by: By,
  failure: string | null,
): Promise<boolean> {
  const action = failure === null ? 'approve' : 'approvalFail'
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set status = ${stepFlow.to(action)}, approved_by_id = ${by.id}, approved_by = ${by.name}, approved_at = now(),
      decision = ${failure}, finished_at = case when ${failure}::text is not null then now() end
    where id = ${id} and ${stepAllowed(action)} and ${another(by.id)}`.execute(db)
  return numAffectedRows === 1n
}
