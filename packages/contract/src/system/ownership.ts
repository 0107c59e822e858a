import { z } from 'zod'
import { get } from '../kit/route.ts'
import { id, idList, keyword, row } from '../kit/wire.ts'

/**
 * Where a row belongs, as a filter of its list and as fields of its form. Each narrows further. An agent stands for
 * itself and for those below it.
 */
export const ownerIds = { organiseId: id.optional(), agentId: id.optional(), siteId: id.optional() }

/** The columns of it. Nobody is told the name of an agent or site outside their scope. */
export const ownerNames = {
  organiseName: z.string(),
  agentName: z.string().nullable(),
  siteName: z.string().nullable(),
}

/** The first of those that match, in the order in which they were made; `more` asks for a narrower search. */
const few = <T extends z.ZodRawShape>(shape: T) =>
  row({
    rows: z.array(row({ id: z.string(), name: z.string(), organiseId: z.string(), ...shape })),
    more: z.boolean(),
  })
const asked = {
  keyword: keyword.optional().describe('part of the name'),
  ids: idList(50).optional().describe('for the names of what is chosen already'),
}

/** What can be chosen as the owner of something. The server answers what lies in the caller's scope. */
export const ownership = {
  organises: get('/seeker/api/ownership/organises', {
    access: 'anyone',
    query: row({ ...asked }),
    data: few({}),
  }),
  agents: get('/seeker/api/ownership/agents', {
    access: 'anyone',
    query: row({
      organiseId: id.optional().describe('the platform must name it, unless it asks by ids'),
      parentAgentId: id.optional(),
      ...asked,
    }),
    data: few({ parentAgentId: z.string().nullable(), fullName: z.string().describe('with the agents above it') }),
  }),
  sites: get('/seeker/api/ownership/sites', {
    access: 'anyone',
    query: row({
      organiseId: id.optional().describe('the platform must name it, unless it asks by ids'),
      agentId: id.optional().describe('with those below it'),
      ...asked,
    }),
    data: few({ agentId: z.string().nullable() }),
  }),
}
