import { z } from 'zod'
import { get } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'
import { personalKind } from './session.ts'

export const personalData = {
  /** One unmasked value, while a reveal granted by verifyPermissions is valid. */
  read: get('/seeker/api/personalData/value', {
    access: 'anyone',
    query: row({ kind: personalKind, rowId: id, field: z.string().regex(/^[a-zA-Z]{1,30}$/) }),
    data: row({ value: z.string().nullable(), seconds: z.int().describe('display time limit') }),
  }),
}
