import type { region } from '@wattdeck/contract/system/region.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { childrenOf } from './region.store.ts'

export const regionHandlers: Handlers<typeof region> = {
  children: ({ db, scope, query }) => childrenOf(db, scope, query.parent),
}
