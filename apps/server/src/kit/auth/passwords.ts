import { passwordPolicy, passwordProblem } from '@wattdeck/domain/password.ts'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { invalid } from '../http/refusal.ts'
import { Semaphore } from '../jobs/semaphore.ts'

const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashing is expensive by design. The semaphore stops a flood of logins from using the whole machine. */
const hashing = new Semaphore(4, 60)

export const hashPassword = (password: string) => hashing.take(() => hash(password, strength))

const dummyHash = await hash('a password that nobody has', strength)
/** Takes the same time whether or not the person exists. */
export const verifyPassword = async (stored: string | undefined, password: string) =>
  (await hashing.take(() => verify(stored ?? dummyHash, password))) && stored !== undefined

/** Key of the counter of password guesses at an account. */
export const passwordGuesses = (userId: string) => `password:${userId}`

type Person = {
  id: string
  login_name: string
  password_hash: string
  organise_id: string
  agent_id: string | null
  site_id: string | null
}

/** Checks the parts of the policy that do not depend on the owner. */
export function assertStrong(password: string): void {
  const problem = passwordProblem(password)
  if (problem !== undefined) throw invalid(problem, 'newPassword')
}

/** Sets a password chosen by its owner. Enforces the policy and rejects recent passwords. */
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

/** Expiry of a first password, which another person set. */
export const firstPasswordEnd = sql<string>`now() + make_interval(hours => ${passwordPolicy.firstPasswordHours})`

/** `mustChange` marks a password that another person set and knows. Its owner must change it at the next login. */
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
  // Guesses at the old password do not count against the new one.
  await sql`select app.forget_guesses(array[${passwordGuesses(id)}])`.execute(db)
}
