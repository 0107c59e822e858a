import { newToken, sha256 } from '../src/kit/tokens.ts'
import type { TestApi } from './api.ts'

/** A link to a data screen whose token nobody has. */
export async function plantLink(api: TestApi, organiseId: string, name: string): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into screen_link (organise_id, name, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 day') returning id`,
    [organiseId, name, sha256(newToken())],
  )
  return made?.id ?? ''
}
