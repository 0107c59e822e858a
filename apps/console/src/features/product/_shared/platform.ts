import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'

/** Actions restricted to platform staff are hidden from others. */
export const isPlatform = (user: UserInfo | undefined) => user?.organiseId === defaultOrganiseId
