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

/** The changed rows are added by the database itself, so an action cannot be logged without them. */
export async function appendAudit(client: pg.PoolClient, entry: AuditEntry): Promise<void> {
  await client.query({ name: 'audit', text: 'select app.audit_append($1)', values: [JSON.stringify(entry)] })
}
