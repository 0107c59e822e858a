import { canSelectAgent, canSelectOrganise, canSelectSite, type Standing } from '@wattdeck/domain/roles.ts'

/** Where a row belongs: organisation, agent, site. What stands below a level belongs to what is chosen there. */
export type OwnerLevel = 'organise' | 'agent' | 'site'
export type OwnerField = `${OwnerLevel}Id`
export type OwnerIds = { [F in OwnerField]?: string | undefined }

export const ownerLevels: readonly OwnerLevel[] = ['organise', 'agent', 'site']
export const ownerField = (level: OwnerLevel): OwnerField => `${level}Id`
export const ownerWords: Readonly<Record<OwnerLevel, string>> = {
  organise: '所属机构',
  agent: '所属代理商',
  site: '所属站点',
}

const rules = { organise: canSelectOrganise, agent: canSelectAgent, site: canSelectSite }

/** Whoever has only one of a kind is not asked which. */
export const maySelect = (user: Standing | undefined, level: OwnerLevel) => user !== undefined && rules[level](user)

/** The owner after a choice: what was chosen below belonged to something else. */
export function withOwner(now: OwnerIds, level: OwnerLevel, id: string | undefined): OwnerIds {
  const below = ownerLevels.slice(ownerLevels.indexOf(level) + 1).map((lower) => [ownerField(lower), undefined])
  return { ...now, [ownerField(level)]: id, ...(Object.fromEntries(below) as OwnerIds) }
}
