import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Actor } from './actor.ts'
import type { Db } from '../db/db.ts'
import { readAuthentication, readRegistration } from './webauthn-answers.ts'

/** Loaded on demand: hundreds of modules, which the worker and most calls of the api do not need. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** WebAuthn, Level 2: passkeys as a second factor after the password. */
export type RelyingParty = { id: string; origin: string }
/** ES256 and RS256, which every authenticator supports. */
const supportedAlgorithmIDs = [-7, -257]
type Purpose = 'register' | 'prove'
type Person = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }

/** From the configured address of the console, never from a request. Browsers accept host names only, no IP addresses. */
export function relyingPartyOf(consoleUrl: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(consoleUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { id: hostname, origin } : undefined
}

/** A session has one challenge; a new one replaces it. */
async function storeChallenge(db: Db, actor: Actor, purpose: Purpose, challenge: string): Promise<void> {
  const expires_at = sql<string>`now() + interval '5 minutes'`
  const { sessionId, organiseId, agentId, siteId } = actor
  await db
    .insertInto('passkey_challenge')
    .values({
      session_id: sessionId,
      organise_id: organiseId,
      agent_id: agentId,
      site_id: siteId,
      purpose,
      challenge,
      expires_at,
    })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ purpose, challenge, expires_at }))
    .execute()
}

/** Consumes a challenge. Runs in its own transaction before the answer is verified, so that each challenge is used once. */
export async function takeChallenge(db: Db, sessionId: string, purpose: Purpose): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkey_challenge')
    .where('session_id', '=', sessionId)
    .returning(['purpose', 'challenge', sql<boolean>`expires_at > now()`.as('live')])
    .executeTakeFirst()
  return row?.live === true && row.purpose === purpose ? row.challenge : undefined
}

const passkeysOf = (db: Db, userId: string) =>
  db
    .selectFrom('passkey')
    .select(['id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

/** Options for the browser to create a new passkey, with a stored challenge. */
export async function offerRegistration(db: Db, party: RelyingParty, actor: Actor): Promise<string> {
  const passkeys = await passkeysOf(db, actor.userId)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: '物联网控制平台',
    rpID: party.id,
    userID: Uint8Array.from(Buffer.from(`wattdeck:${actor.userId}`)),
    userName: actor.loginName,
    userDisplayName: actor.userName,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map((one) => ({ id: one.credential_id, transports: one.transports })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  await storeChallenge(db, actor, 'register', options.challenge)
  return JSON.stringify(options)
}

/** Options for the browser to authenticate with one of the person's passkeys, with a stored challenge. */
export async function offerProof(db: Db, party: RelyingParty, actor: Actor): Promise<string> {
  const passkeys = await passkeysOf(db, actor.userId)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: passkeys.map((one) => ({ id: one.credential_id, transports: one.transports })),
    userVerification: 'preferred',
  })
  await storeChallenge(db, actor, 'prove', options.challenge)
  return JSON.stringify(options)
}

/** Stores the passkey that the browser created. Returns false when the answer cannot be verified. */
export async function registerPasskey(
  db: Db,
  party: RelyingParty,
  person: Person,
  { challenge, name, answer: text }: { challenge: string; name: string; answer: string },
): Promise<boolean> {
  const answer = readRegistration(text)
  if (answer === undefined) return false
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const checked = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} } as never,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs,
  }).catch(() => undefined)
  if (checked?.verified !== true) return false
  const { credential } = checked.registrationInfo
  const { id, organise_id, agent_id, site_id } = person
  await db
    .insertInto('passkey')
    .values({
      organise_id,
      agent_id,
      site_id,
      user_id: id,
      name,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: answer.response.transports ?? [],
    })
    .execute()
  return true
}

/** Whether the answer proves a passkey of the person. Verifies signature, challenge, origin and an increased counter. */
export async function provePasskey(
  db: Db,
  party: RelyingParty,
  userId: string,
  { challenge, answer: text }: { challenge: string; answer: string },
): Promise<boolean> {
  const answer = readAuthentication(text)
  const passkey = (await passkeysOf(db, userId)).find((one) => one.credential_id === answer?.id)
  if (answer === undefined || passkey === undefined) return false
  const counter = Number(passkey.counter)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const checked = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} } as never,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: { id: passkey.credential_id, publicKey: Uint8Array.from(passkey.public_key), counter },
  }).catch(() => undefined)
  if (checked?.verified !== true) return false
  await db
    .updateTable('passkey')
    .set({ counter: checked.authenticationInfo.newCounter, last_used_at: sql<string>`now()` })
    .where('id', '=', passkey.id)
    .execute()
  return true
}
