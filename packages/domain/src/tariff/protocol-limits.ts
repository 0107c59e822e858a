import type { RuleProblem } from './check.ts'
import type { Preset, TariffRules } from './rules.ts'
import { distinctPairs, halfHour, ykcPairs } from './ykc.ts'

/** Protocols of devices, by their names in packages/device-protocol. */
export type TariffProtocol = 'dny' | 'mqttJson' | 'ocpp16' | 'ykc'

/**
 * Reasons why devices of a protocol cannot apply the rules. Only a YKC charger receives prices. Other devices receive a
 * limit, and the platform prices their reports. With OCPP the platform also ends the charge. The fields of our MQTT
 * messages are wide enough for every rule.
 */
export function protocolLimits(rules: TariffRules, protocol: TariffProtocol): RuleProblem[] {
  if (protocol === 'ykc') return ykcLimits(rules)
  return protocol === 'dny' ? dnyLimits(rules) : []
}

/** A YKC charger sells energy until the money is used up. It supports no other limit and reports no power. */
function ykcLimits(rules: TariffRules): RuleProblem[] {
  if (rules.billingType !== 0) return [{ code: 'billing', path: 'billingType', text: '该类充电桩仅支持按电量计费' }]
  const problems: RuleProblem[] = []
  for (const [at, { fromMin, toMin }] of rules.segments.entries())
    for (const [edge, minute] of Object.entries({ fromMin, toMin }))
      if (minute % halfHour !== 0)
        problems.push({ code: 'halfHour', path: `segments.${at}.${edge}`, text: '时段须以整点或半点为界' })
  if (distinctPairs(rules.segments) > ykcPairs)
    problems.push({ code: 'prices', path: 'segments', text: `该类充电桩最多支持${ykcPairs}组不同的电费和服务费单价` })
  const isUnknown = ({ by }: Preset) => by !== 'money'
  return [...problems, ...presetProblems(rules, isUnknown, '该类充电桩仅支持按金额的档位')]
}

/** Seconds, and steps of 0.01 kWh, each in two bytes. */
const dnyMost = 65_535
const dnyStepDwh = 100

function dnyLimits(rules: TariffRules): RuleProblem[] {
  const most = Math.floor(dnyMost / 60)
  const tooLong = `该类设备单次充电最长${most}分钟`
  const problems: RuleProblem[] = rules.maxMinutes > most ? [{ code: 'range', path: 'maxMinutes', text: tooLong }] : []
  const isLong = ({ by, value }: Preset) => by === 'minutes' && value > most
  // The device would receive a lower limit than the member paid for.
  const isFine = ({ by, value }: Preset) =>
    by === 'energy' && (value % dnyStepDwh !== 0 || value / dnyStepDwh > dnyMost)
  return [
    ...problems,
    ...presetProblems(rules, isLong, tooLong),
    ...presetProblems(rules, isFine, '该类设备的电量档位须为0.01度的整数倍，最多655.35度'),
  ]
}

const presetProblems = ({ presets }: TariffRules, isBad: (preset: Preset) => boolean, text: string): RuleProblem[] =>
  presets.flatMap((preset, at) => (isBad(preset) ? [{ code: 'range' as const, path: `presets.${at}`, text }] : []))
