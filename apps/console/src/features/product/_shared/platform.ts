import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'

/** What only people of the platform may do is not offered to others. */
export const isPlatform = (user: UserInfo | undefined) => user?.organiseId === defaultOrganiseId
