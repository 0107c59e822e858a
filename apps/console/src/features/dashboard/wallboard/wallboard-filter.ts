import { filterOf, type RegionFilter } from './region.ts'

/** What all calls of a wallboard have in common. */
export type WallboardFilter = RegionFilter & { organiseId?: string; deviceFirstClass?: string }
/** The wishes of somebody in front of a wallboard; a region comes from the map. */
export type WallboardChoice = { organiseId?: string; deviceFirstClass?: string; isOnline?: 0 | 1 }

export const wallboardFilter = (
  { organiseId, deviceFirstClass }: WallboardChoice,
  adcode: string,
): WallboardFilter => ({
  ...(organiseId === undefined ? {} : { organiseId }),
  ...(deviceFirstClass === undefined ? {} : { deviceFirstClass }),
  ...filterOf(adcode),
})

export const onlineFilter = ({ isOnline }: WallboardChoice) => (isOnline === undefined ? {} : { isOnline })

/** Members belong to no class of devices. */
export const memberFilter = ({ organiseId, province, city, district }: WallboardFilter) => ({
  ...(organiseId === undefined ? {} : { organiseId }),
  ...(province === undefined ? {} : { province }),
  ...(city === undefined ? {} : { city }),
  ...(district === undefined ? {} : { district }),
})
