import { canSelectAgent, canSelectOrganise, canSelectSite, type Standing } from '@wattdeck/domain/roles.ts'

/** The owner levels of a row: organisation, agent, site. The options of a level depend on the levels above it. */
export type OwnerLevel = 'organise' | 'agent' | 'site'
export type OwnerField = `${OwnerLevel}Id`
export type OwnerIds = { [F in OwnerField]?: string | undefined }

export const ownerLevels: readonly OwnerLevel[] = ['organise', 'agent', 'site']
export const ownerField = (level: OwnerLevel): OwnerField => `${level}Id`
export const ownerLabels = {
  organise: '所属机构',
  agent: '所属代理商',
  site: '所属站点',
}

const rules = { organise: canSelectOrganise, agent: canSelectAgent, site: canSelectSite }

/** A user with only one owner of a level has no choice. */
export const maySelect = (user: Standing | undefined, level: OwnerLevel) => user !== undefined && rules[level](user)

/** The owner after a choice. The levels below are cleared, because they belonged to another owner. */
export function withOwner(now: OwnerIds, level: OwnerLevel, id: string | undefined): OwnerIds {
  const below = ownerLevels.slice(ownerLevels.indexOf(level) + 1).map((lower) => [ownerField(lower), undefined])
  return { ...now, [ownerField(level)]: id, ...(Object.fromEntries(below) as OwnerIds) }
}
