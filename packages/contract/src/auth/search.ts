import { z } from 'zod'
import { get } from '../kit/route.ts'
import { objectKinds } from '../kit/object-kinds.ts'
import { keyword, row } from '../kit/wire.ts'

export type Found = z.infer<typeof Found>
const Found = row({
  kind: z.enum([...objectKinds, 'department', 'role', 'agent']),
  id: z.string(),
  title: z.string(),
  no: z.string().nullable().describe('display number; a search for the complete number opens the record at once'),
  note: z.string(),
})

/** Records for the command palette, only of kinds whose menu the caller holds. */
export const search = {
  records: get('/seeker/api/search', {
    access: 'anyone',
    query: row({ q: keyword.min(1) }),
    data: z.array(Found),
  }),
}
