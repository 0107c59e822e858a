/** The region of a wallboard: the country (''), or a province, city or district by its six digits. */
export type Level = 'country' | 'province' | 'city' | 'district'

export function levelOf(adcode: string): Level {
  if (adcode === '') return 'country'
  if (adcode.endsWith('0000')) return 'province'
  return adcode.endsWith('00') ? 'city' : 'district'
}

export const provinceOf = (adcode: string) => `${adcode.slice(0, 2)}0000`
/** District codes of Hong Kong and Macao contain no city, but the region tree has one for them. */
const cityOf = (adcode: string) =>
  adcode.slice(2, 4) === '00' ? `${adcode.slice(0, 2)}0100` : `${adcode.slice(0, 4)}00`

/** Parses a region code from the URL; '' when it is invalid. */
export const readAdcode = (text: string | null) => (text !== null && /^[1-8]\d{5}$/.test(text) ? text : '')

/** The path from the country to the region. Municipalities have no level between them and their districts. */
export function pathTo(adcode: string): string[] {
  const level = levelOf(adcode)
  if (level === 'country') return ['']
  const province = provinceOf(adcode)
  if (level === 'province') return ['', province]
  const isMunicipality = ['11', '12', '31', '50', '81', '82'].includes(adcode.slice(0, 2))
  if (level === 'city' || isMunicipality) return ['', province, adcode]
  return ['', province, cityOf(adcode), adcode]
}

/** The path as in the region tree: province, city, district. */
export function treePath(adcode: string): string[] {
  const level = levelOf(adcode)
  if (level === 'country') return []
  const province = provinceOf(adcode)
  if (level === 'province') return [province]
  return level === 'city' ? [province, adcode] : [province, cityOf(adcode), adcode]
}

/** The path from the region of a link down; regions above it are outside the link. */
export function pathBelow(home: string, adcode: string): string[] {
  const path = pathTo(adcode)
  const start = path.indexOf(home)
  return start === -1 ? [home] : path.slice(start)
}

export type RegionFilter = { province?: string; city?: string; district?: string }
export function filterOf(adcode: string): RegionFilter {
  const level = levelOf(adcode)
  return level === 'country' ? {} : { [level]: adcode }
}

type Claimed = { [K in keyof RegionFilter]?: string | undefined }
/** The lowest region of the claims of a link. */
export const lowestOf = ({ province = '', city = '', district = '' }: Claimed) => district || city || province
