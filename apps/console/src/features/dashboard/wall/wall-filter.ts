import { filterOf, type RegionFilter } from './region.ts'

/** What all calls of a wall have in common. */
export type WallFilter = RegionFilter & { organiseId?: string; deviceFirstClass?: string }
/** The wishes of somebody in front of a wall; a region comes from the map. */
export type WallChoice = { organiseId?: string; deviceFirstClass?: string; isOnline?: 0 | 1 }

export const wallFilter = ({ organiseId, deviceFirstClass }: WallChoice, adcode: string): WallFilter => ({
  ...(organiseId === undefined ? {} : { organiseId }),
  ...(deviceFirstClass === undefined ? {} : { deviceFirstClass }),
  ...filterOf(adcode),
})

export const onlineFilter = ({ isOnline }: WallChoice) => (isOnline === undefined ? {} : { isOnline })

/** Members belong to no class of devices. */
export const memberFilter = ({ organiseId, province, city, district }: WallFilter) => ({
  ...(organiseId === undefined ? {} : { organiseId }),
  ...(province === undefined ? {} : { province }),
  ...(city === undefined ? {} : { city }),
  ...(district === undefined ? {} : { district }),
})
