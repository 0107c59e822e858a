import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { useUser } from '../../../kit/api/user.ts'

/** The organisation of a new row; undefined for staff of the platform, who choose one in the form. */
export function useOwnOrganise(): { organiseId: string } | undefined {
  const organiseId = useUser()?.organiseId
  return organiseId === undefined || organiseId === defaultOrganiseId ? undefined : { organiseId }
}
