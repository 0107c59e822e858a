import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { sha256 } from './tokens.ts'

type Person = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }

const codeCount = 10
/** 16 of 32 letters make 80 random bits, so a plain hash is enough. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const newCode = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')
const hashOf = (userId: string, code: string) => sha256(`recovery:${userId}:${code}`)
const grouped = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1-')

/** Replaces all codes by ten new ones and returns them. They cannot be read again. */
export async function issueRecoveryCodes(db: Db, person: Person): Promise<string[]> {
  const { id, organise_id, agent_id, site_id } = person
  await dropRecoveryCodes(db, id)
  const codes = Array.from({ length: codeCount }, newCode)
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ organise_id, agent_id, site_id, user_id: id, code_hash: hashOf(id, code) })))
    .execute()
  return codes.map(grouped)
}

export async function dropRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(sql<number>`count(*)::int`.as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/** Whether this was an unused code of the person. Marks it as used. */
export async function useRecoveryCode(db: Db, userId: string, typed: string): Promise<boolean> {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  const used = await db
    .updateTable('recovery_code')
    .set({ used_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, code))
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}
