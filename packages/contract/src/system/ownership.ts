import { z } from 'zod'
import { get } from '../kit/route.ts'
import { id, idList, keyword, row } from '../kit/wire.ts'

/**
 * The owner of a row, as a list filter and as form fields. Each field narrows further. An agent includes the agents
 * below it.
 */
export const ownerIds = { organiseId: id.optional(), agentId: id.optional(), siteId: id.optional() }

/** The owner columns. Names of agents and sites outside the scope of the caller are hidden. */
export const ownerNames = {
  organiseName: z.string(),
  agentName: z.string().nullable(),
  siteName: z.string().nullable(),
}

/** The first matches in creation order; `more` means that the search must be narrowed. */
const few = <T extends z.ZodRawShape>(shape: T) =>
  row({
    rows: z.array(row({ id: z.string(), name: z.string(), organiseId: z.string(), ...shape })),
    more: z.boolean(),
  })
const searchFields = {
  keyword: keyword.optional().describe('part of the name'),
  ids: idList(50).optional().describe('to look up names of selected records'),
}

/** Possible owners of a record, within the scope of the caller. */
export const ownership = {
  organises: get('/seeker/api/ownership/organises', {
    access: 'anyone',
    query: row({ ...searchFields }),
    data: few({}),
  }),
  agents: get('/seeker/api/ownership/agents', {
    access: 'anyone',
    query: row({
      organiseId: id.optional().describe('required for platform users without ids'),
      parentAgentId: id.optional(),
      ...searchFields,
    }),
    data: few({ parentAgentId: z.string().nullable(), fullName: z.string().describe('including the agents above') }),
  }),
  sites: get('/seeker/api/ownership/sites', {
    access: 'anyone',
    query: row({
      organiseId: id.optional().describe('required for platform users without ids'),
      agentId: id.optional().describe('including agents below'),
      ...searchFields,
    }),
    data: few({ agentId: z.string().nullable() }),
  }),
}
