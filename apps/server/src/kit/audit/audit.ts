import type pg from 'pg'

export type AuditEntry = {
  organise_id: string
  agent_id: string | null
  site_id: string | null
  user_id: string | null
  user_name: string | null
  login_name: string | null
  module: string
  kind: string
  content: string
  path: string
  ip: string | null
  duration_ms: number
  result: 0 | 1
  reason: string | null
  request_id: string
}

/** The database itself adds the changed rows, so an action cannot be logged without them. */
export async function appendAudit(client: pg.PoolClient, entry: AuditEntry): Promise<void> {
  await client.query({ name: 'audit', text: 'select app.audit_append($1)', values: [JSON.stringify(entry)] })
}

/** The audit entry for an action of the worker itself. */
export const workerEntry = (
  entry: Pick<AuditEntry, 'organise_id' | 'module' | 'content' | 'path'> & Partial<AuditEntry>,
): AuditEntry => ({
  agent_id: null,
  site_id: null,
  user_id: null,
  user_name: '系统',
  login_name: null,
  kind: 'edit',
  ip: null,
  duration_ms: 0,
  result: 1,
  reason: null,
  request_id: crypto.randomUUID(),
  ...entry,
})
