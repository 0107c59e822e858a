import { enabledStatus } from '@wattdeck/contract/common.ts'
import { versionState } from '@wattdeck/contract/product/consumption-standard.ts'
import { sheetProblems, tariffProtocol } from '@wattdeck/contract/product/tariff-sheet.ts'
import type { TariffProtocol } from '@wattdeck/domain/tariff/protocol-limits.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { readTariff } from '../../../core/tariffs/tariff.store.ts'
import { openVersions } from '../../../core/tariffs/tariff-version.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { invalid, notFound } from '../../../kit/http/refusal.ts'

/** A tariff that devices can be bound to, with its current and scheduled rules. */
export async function bindableTariff(db: Db, id: string) {
  const tariff = await readTariff(db, id)
  if (tariff === undefined) throw notFound()
  if (tariff.status === enabledStatus.code.disabled) throw invalid('该消费标准已停用', 'tariffId')
  if (tariff.version_id === null) throw invalid('该消费标准尚未发布', 'tariffId')
  const open = await openVersions(db, id)
  return { ...tariff, rules: open.filter(({ state }) => state !== versionState.code.draft).map(({ rules }) => rules) }
}
type Bindable = Awaited<ReturnType<typeof bindableTariff>>
type Fitted = { adapter: string; device_type_id: string }

/** Why devices cannot charge by the tariff; undefined when they can. */
export function tariffProblem({ rules, device_type_ids }: Bindable, devices: readonly Fitted[]): string | undefined {
  if (device_type_ids.length > 0 && devices.some(({ device_type_id }) => !device_type_ids.includes(device_type_id)))
    return '消费标准不适用于该设备型号'
  const adapters = devices.map(({ adapter }) => adapter)
  return rules.map((one) => misfitOf(one, adapters)).find((text) => text !== undefined)
}

export const protocolsOf = (adapters: readonly string[]): TariffProtocol[] => [
  ...new Set(adapters.flatMap((adapter) => tariffProtocol(adapter) ?? [])),
]

/** Why devices of these protocols cannot charge by the rules; undefined when they can. */
export const misfitOf = (rules: TariffRules, adapters: readonly string[]): string | undefined =>
  sheetProblems(rules, protocolsOf(adapters))[0]?.text
