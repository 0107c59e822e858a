import { type RefundStepAction, stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** Refunds with three steps by three people (maker-checker): request, audit, approval. */
type Table = 'recharge_refund' | 'enterprise_refund'
type By = { id: string; name: string }

/** SQL condition: the status allows this step. */
export const stepAllowed = (action: RefundStepAction) => sql`status = any(${stepFlow.from(action)})`

/** SQL condition: one person never performs two steps. A table constraint enforces it, too. */
const another = (byId: string) =>
  sql`created_by_id is distinct from ${byId} and audited_by_id is distinct from ${byId} and approved_by_id is distinct from ${byId}`

/** Records the audit by the second person; `failure` is the reason of a rejection. */
export async function writeAudit(db: Db, table: Table, id: string, by: By, failure: string | null): Promise<boolean> {
  const action = failure === null ? 'audit' : 'auditFail'
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set status = ${stepFlow.to(action)}, audited_by_id = ${by.id}, audited_by = ${by.name}, audited_at = now(),
      decision = ${failure}, finished_at = case when ${failure}::text is not null then now() end
    where id = ${id} and ${stepAllowed(action)} and ${another(by.id)}`.execute(db)
  return numAffectedRows === 1n
}

/** Records the approval by the third person. */
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
