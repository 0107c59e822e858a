import { filterOf, type RegionFilter } from './region.ts'

/** The common filter of all calls of a wallboard. */
export type WallboardFilter = RegionFilter & { organiseId?: string; deviceFirstClass?: string }
/** The filters selected by the user; the region comes from the map. */
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

/** Members belong to no device class. */
export const memberFilter = ({ organiseId, province, city, district }: WallboardFilter) => ({
  ...(organiseId === undefined ? {} : { organiseId }),
  ...(province === undefined ? {} : { province }),
  ...(city === undefined ? {} : { city }),
  ...(district === undefined ? {} : { district }),
})
