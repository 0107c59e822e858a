import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import {
  type Actor as Person,
  makePerson,
  makeFixture,
  openSession,
  type Fixture,
} from '../../../test/harness/people.ts'
import type { Actor } from '../../kit/auth/actor.ts'
import { inScope, commit } from '../../kit/db/db.ts'
import { Refusal } from '../../kit/http/refusal.ts'
import { chosenPlace, type Place } from './place.store.ts'

/** A site without an agent, and a second agent with its own site, in the organisation green. */
let more: { freeSiteId: string; otherAgentId: string; otherSiteId: string }
let people: Record<string, Actor>

const api = await startApi()
const fixture = await makeFixture(api)
const one = async (text: string, values: unknown[]) =>
  (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
beforeAll(async () => {
  const { id } = fixture.green
  const otherAgentId = await one("insert into agent (organise_id, name) values ($1, '另一代理')", [id])
  more = {
    otherAgentId,
    otherSiteId: await one("insert into site (organise_id, agent_id, name) values ($1, $2, '另一站')", [
      id,
      otherAgentId,
    ]),
    freeSiteId: await one("insert into site (organise_id, name) values ($1, '直营站')", [id]),
  }
  const clerk = await makePerson(api, { organiseId: '1', loginName: 'platform_clerk', menus: ['2'], topLevel: 2 })
  const { admin, agent, subAgent, site, installer } = fixture.green
  const peopleByName = { root: fixture.platform.root, clerk, admin, agent, subAgent, site, installer }
  people = Object.fromEntries(
    await Promise.all(
      Object.entries(peopleByName).map(async ([name, person]) => [name, await actorOf(person)] as const),
    ),
  )
})

async function actorOf(person: Person): Promise<Actor> {
  const actor = await api.deps.sessions.find(await openSession(api, person.id), true)
  if (actor === undefined) throw new Error('nobody')
  return actor
}

type Choice = Parameters<typeof chosenPlace>[2]
/** Returns the place, or the status of the refusal. */
async function placed(who: string, choice: Choice): Promise<Place | number> {
  const actor = people[who] as Actor
  return inScope<Place | number>(api.deps.pool, actor.scope, 'read', async ({ db }) => {
    try {
      return commit(await chosenPlace(db, actor, choice))
    } catch (error) {
      if (error instanceof Refusal) return commit(error.status)
      throw error
    }
  })
}
const place = (organise_id: string, agent_id: string | null = null, site_id: string | null = null): Place => ({
  organise_id,
  agent_id,
  site_id,
})

describe('a stranger', () => {
  it('places nothing in another organisation, nor at its agents and sites', async () => {
    const { id, agentId, subAgentId, siteId } = fixture.swift
    for (const who of ['admin', 'agent', 'subAgent', 'site', 'installer'])
      for (const choice of [
        { organiseId: id },
        { agentId },
        { agentId: subAgentId },
        { siteId },
        { organiseId: fixture.green.id, siteId },
        { organiseId: fixture.green.id, agentId },
        { agentId: fixture.green.subAgentId, siteId },
      ])
        expect(await placed(who, choice), `${who} ${JSON.stringify(choice)}`).toBe(404)
  })

  it('of the platform places nothing in another organisation without the right to select organisations', async () => {
    const { id, agentId, siteId } = fixture.green
    for (const choice of [{ organiseId: id }, { agentId }, { siteId }]) expect(await placed('clerk', choice)).toBe(404)
    expect(await placed('clerk', {})).toEqual(place('1'))
  })
})

describe('a place that is not chosen', () => {
  it('is the place of its creator; so is the creator’s own organisation, agent or site', async () => {
    const { id, agentId, subAgentId, siteId } = fixture.green
    expect(await placed('root', {})).toEqual(place('1'))
    expect(await placed('admin', { organiseId: id })).toEqual(place(id))
    expect(await placed('agent', { organiseId: id })).toEqual(place(id, agentId))
    expect(await placed('agent', { agentId })).toEqual(place(id, agentId))
    expect(await placed('installer', {})).toEqual(place(id, agentId))
    for (const choice of [{}, { organiseId: id }, { agentId: subAgentId }, { siteId }, { agentId: subAgentId, siteId }])
      expect(await placed('site', choice)).toEqual(place(id, subAgentId, siteId))
  })
})

describe('a chosen place', () => {
  it('of the platform is any consistent place', async () => {
    const { id, agentId, subAgentId, siteId } = fixture.green
    expect(await placed('root', { organiseId: id })).toEqual(place(id))
    expect(await placed('root', { organiseId: id, agentId })).toEqual(place(id, agentId))
    expect(await placed('root', { agentId })).toEqual(place(id, agentId))
    expect(await placed('root', { organiseId: id, siteId })).toEqual(place(id, subAgentId, siteId))
    expect(await placed('root', { organiseId: id, siteId: more.freeSiteId })).toEqual(place(id, null, more.freeSiteId))
    expect(await placed('root', { organiseId: fixture.swift.id, agentId })).toBe(404)
    expect(await placed('root', { organiseId: fixture.swift.id, siteId })).toBe(404)
    expect(await placed('root', { organiseId: '999999' })).toBe(404)
    expect(await placed('root', { agentId: '999999' })).toBe(404)
    expect(await placed('root', { siteId: '999999' })).toBe(404)
  })

  it('at a site belongs to the agent of that site, which is the chosen agent or one below it', async () => {
    const { id, agentId, subAgentId, siteId } = fixture.green
    expect(await placed('admin', { agentId, siteId })).toEqual(place(id, subAgentId, siteId))
    expect(await placed('admin', { agentId: subAgentId, siteId })).toEqual(place(id, subAgentId, siteId))
    expect(await placed('admin', { agentId: more.otherAgentId, siteId })).toBe(404)
    expect(await placed('admin', { agentId, siteId: more.freeSiteId })).toBe(404)
  })

  it('of an agent is the agent itself or one below, of a site only the site itself', async () => {
    const { id, agentId, subAgentId, siteId } = fixture.green
    expect(await placed('agent', { agentId: subAgentId })).toEqual(place(id, subAgentId))
    expect(await placed('agent', { siteId })).toEqual(place(id, subAgentId, siteId))
    expect(await placed('subAgent', { agentId })).toBe(404)
    for (const who of ['agent', 'subAgent', 'site', 'installer']) {
      expect(await placed(who, { agentId: more.otherAgentId })).toBe(404)
      expect(await placed(who, { siteId: more.otherSiteId })).toBe(404)
      expect(await placed(who, { siteId: more.freeSiteId })).toBe(404)
    }
    expect(await placed('site', { agentId })).toBe(404)
  })

  it('lies in the scope of the caller, whatever the request contains', async () => {
    const ids = (pick: (from: Fixture['green']) => string, ...others: string[]) =>
      fc.option(fc.constantFrom(pick(fixture.green), pick(fixture.swift), '1', '999999', ...others), { nil: undefined })
    const { otherAgentId, otherSiteId, freeSiteId } = more
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(people)),
        fc.record({
          organiseId: ids((from) => from.id),
          agentId: ids((from) => from.agentId, fixture.green.subAgentId, fixture.swift.subAgentId, otherAgentId),
          siteId: ids((from) => from.siteId, otherSiteId, freeSiteId),
        }),
        async (who, choice) => {
          const result = await placed(who, choice)
          if (typeof result === 'number') {
            expect(result).toBe(404)
            return
          }
          const { level, organiseId, agentIds, siteIds } = (people[who] as Actor).scope
          if (level > 0) expect(result.organise_id).toBe(organiseId)
          if (level === 2) expect(agentIds).toContain(result.agent_id)
          if (level === 3) expect(siteIds).toContain(result.site_id)
          // The result keeps the chosen ids: no row is created elsewhere.
          if (choice.siteId !== undefined) expect(result.site_id).toBe(choice.siteId)
          if (choice.organiseId !== undefined) expect(result.organise_id).toBe(choice.organiseId)
        },
      ),
      { numRuns: 300 },
    )
  })
})
