import { claimsOf, type ScreenClaims, screenScheme } from '@wattdeck/contract/dashboard/screen-link.ts'
import { type AnyRoute, type BodyOf, type DataOf, envelope, fillPath } from '@wattdeck/contract/kit/route.ts'
import { uniqueId } from '../../../kit/api/unique-id.ts'
import type { WallboardSource } from './source.ts'

const timeoutMs = 15_000

/** The token in the URL fragment: a fragment never leaves the browser, so it appears in no server log. */
export function tokenInAddress(): { token: string; claims: ScreenClaims } | undefined {
  const token = globalThis.location.hash.replace(/^#/, '')
  const claims = claimsOf(token)
  return claims && { token, claims }
}

export const linkTo = (token: string) => `${globalThis.location.origin}/dataScreen#${token}`

/** Independent of the API client of the console: there is no session, and a refused call must not end one. */
export function linkSource(token: string, claims: ScreenClaims, onEnded: () => void): WallboardSource {
  const authorization = () => `${screenScheme} ${token}`
  async function read<R extends AnyRoute>(route: R, body: BodyOf<R>, signal: AbortSignal): Promise<DataOf<R>> {
    const response = await fetch(fillPath(route.path), {
      method: route.method,
      headers: { Authorization: authorization(), 'Content-Type': 'application/json', 'X-Request-Id': uniqueId() },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      cache: 'no-store',
      credentials: 'omit',
    })
    if (response.status === 401) onEnded()
    if (!response.ok) throw new Error(`${route.path}: ${response.status}`)
    return envelope(route.data).parse(await response.json()).data as DataOf<R>
  }
  return {
    key: `link ${claims.nonce}`,
    read,
    authorization,
    organiseId: claims.organiseId,
    hasMembers: claims.deviceFirstClass === undefined,
  }
}
