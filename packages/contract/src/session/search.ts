import { z } from 'zod'
import { get } from '../kit/route.ts'
import { keyword, row } from '../kit/wire.ts'

/** Records for the command palette, only of kinds whose menu the caller holds. */
export const search = {
  records: get('/seeker/api/search', {
    access: 'anyone',
    query: row({ q: keyword.min(1) }),
    data: z.array(
      row({ kind: z.enum(['staff', 'department', 'role']), id: z.string(), title: z.string(), note: z.string() }),
    ),
  }),
}
