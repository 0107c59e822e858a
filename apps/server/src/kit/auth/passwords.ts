import { passwordPolicy, passwordProblem } from '@wattdeck/domain/password.ts'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { invalid } from '../http/refusal.ts'
import { Semaphore } from '../jobs/semaphore.ts'

const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashing is dear on purpose; this keeps a flood of logins from taking the whole machine. */
const hashing = new Semaphore(4, 60)

export const hashPassword = (password: string) => hashing.take(() => hash(password, strength))

const nobody = await hash('a password that nobody has', strength)
/** Takes the same time whether the person exists or not. */
export const verifyPassword = async (stored: string | undefined, password: string) =>
  (await hashing.take(() => verify(stored ?? nobody, password))) && stored !== undefined

/** Under which guesses at the password of an account are counted. */
export const passwordGuesses = (userId: string) => `password:${userId}`

type Person = {
  id: string
  login_name: string
  password_hash: string
  organise_id: string
  agent_id: string | null
  site_id: string | null
}

/** What can be said of a new password without knowing whose it is. */
export function assertStrong(password: string): void {
  const problem = passwordProblem(password)
  if (problem !== undefined) throw invalid(problem, 'newPassword')
}

/** Sets a password that its owner chose: policy, and none of the last ones again. */
export async function choosePassword(db: Db, person: Person, password: string): Promise<void> {
  const problem = passwordProblem(password, person.login_name)
  if (problem !== undefined) throw invalid(problem, 'newPassword')
  const earlier = await db
    .selectFrom('user_password_history')
    .select('password_hash')
    .where('user_id', '=', person.id)
    .orderBy('id', 'desc')
    .limit(passwordPolicy.barredLast - 1)
    .execute()
  for (const { password_hash } of [person, ...earlier]) {
    if (await verifyPassword(password_hash, password))
      throw invalid(`不能使用最近${passwordPolicy.barredLast}次用过的密码`, 'newPassword')
  }
  await storePassword(db, person, await hashPassword(password), false)
}

/** For a password that another person set. */
export const firstPasswordEnd = sql<string>`now() + make_interval(hours => ${passwordPolicy.firstPasswordHours})`

/** Also for a password that somebody else set, who therefore knows it: its owner must change it at the next login. */
export async function storePassword(db: Db, person: Person, passwordHash: string, mustChange: boolean): Promise<void> {
  const { id, organise_id, agent_id, site_id } = person
  await db
    .insertInto('user_password_history')
    .values({ user_id: id, organise_id, agent_id, site_id, password_hash: person.password_hash })
    .execute()
  await db
    .updateTable('user_account')
    .set({
      password_hash: passwordHash,
      password_changed_at: sql<string>`now()`,
      must_change_password: mustChange,
      ...(mustChange ? { first_password_ends_at: firstPasswordEnd } : {}),
      locked_until: null,
    })
    .where('id', '=', id)
    .execute()
  // A new password is not guessed at yet.
  await sql`select app.forget_guesses(array[${passwordGuesses(id)}])`.execute(db)
}
