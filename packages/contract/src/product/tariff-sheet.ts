import { checkRules } from '@wattdeck/domain/tariff/check.ts'
import { meetsPriceLaw } from '@wattdeck/domain/tariff/law.ts'
import { parseDecimal } from '@wattdeck/domain/tariff/parse.ts'
import { protocolLimits, type TariffProtocol } from '@wattdeck/domain/tariff/protocol-limits.ts'
import type { Preset, TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { energyText, feeText, priceText } from '@wattdeck/domain/tariff/labels.ts'
import { z } from 'zod'
import { row } from '../kit/wire.ts'

/**
 * The rules of a tariff on the wire and in the form: amounts and prices are decimal text in yuan, energy is text in
 * kWh. checkRules validates the bounds, in the browser and on the server.
 */
const decimalText = (digits: number, decimals: number, label: string) =>
  z
    .string({ error: `请输入${label}` })
    .min(1, { error: `请输入${label}`, abort: true })
    .regex(new RegExp(String.raw`^\d{1,${digits}}(\.\d{1,${decimals}})?$`), {
      error: `请输入正确的${label}，最多${decimals}位小数`,
    })
const amount = (label: string) => decimalText(7, 2, label)
const unitPrice = (label: string) => decimalText(4, 5, label)
const count = (label: string) =>
  z
    .int({ error: `请输入${label}（整数）` })
    .min(0)
    .max(1_000_000)

const presetBy = z.enum(['money', 'minutes', 'energy'])
const period = z.enum(['sharp', 'peak', 'flat', 'valley', 'deepValley'])

const common = {
  minFee: amount('最低消费'),
  startFee: amount('起充金额'),
  freeMinutes: count('免费时长'),
  maxMinutes: count('最长时长'),
  fullStop: z.boolean(),
  refundUnused: z.boolean(),
  occupancy: row({ freeMinutes: count('占位免费时长'), price: unitPrice('占位费单价'), cap: amount('占位费封顶') })
    .nullable()
    .describe('null: occupancy is free'),
  presets: z.array(row({ by: presetBy, value: decimalText(7, 4, '档位') })).max(20),
}
const segment = row({
  fromMin: count('开始时间'),
  toMin: count('结束时间'),
  period,
  electricity: unitPrice('电费单价'),
  service: unitPrice('服务费单价'),
})

export type TariffSheet = z.infer<typeof TariffSheet>
export const TariffSheet = z.discriminatedUnion('billingType', [
  row({ billingType: z.literal(0), ...common, segments: z.array(segment).max(20) }),
  row({
    billingType: z.literal(1),
    ...common,
    unitMinutes: count('计费单位时长'),
    stepMinutes: count('计时步长'),
    tiers: z
      .array(row({ uptoMin: count('阶梯上限').nullable().describe('null: unlimited'), price: amount('阶梯单价') }))
      .max(20),
    electricity: unitPrice('电费单价'),
  }),
  row({
    billingType: z.literal(2),
    ...common,
    mode: z.enum(['peak', 'segmented']),
    bands: z.array(row({ maxWatt: count('功率上限'), price: unitPrice('功率档单价') })).max(20),
    electricity: unitPrice('电费单价'),
  }),
])

/** An invalid number becomes NaN, which checkRules reports at its field. */
const fen = (text: string) => parseDecimal(text, 2) ?? Number.NaN
const e5 = (text: string) => parseDecimal(text, 5) ?? Number.NaN

const presetDecimals = { money: 2, minutes: 0, energy: 4 } as const

export function rulesOf(sheet: TariffSheet): TariffRules {
  const { minFee, startFee, occupancy, presets, freeMinutes, maxMinutes, fullStop, refundUnused } = sheet
  const shared = {
    minFeeFen: fen(minFee),
    startFeeFen: fen(startFee),
    freeMinutes,
    maxMinutes,
    fullStop,
    refundUnused,
    occupancy: occupancy && {
      freeMinutes: occupancy.freeMinutes,
      priceE5: e5(occupancy.price),
      capFen: fen(occupancy.cap),
    },
    presets: presets.map(({ by, value }): Preset => ({ by, value: parseDecimal(value, presetDecimals[by]) ?? NaN })),
  }
  if (sheet.billingType === 0)
    return {
      ...shared,
      billingType: 0,
      segments: sheet.segments.map(({ electricity, service, fromMin, toMin, period: name }) => ({
        fromMin,
        toMin,
        period: name,
        electricityE5: e5(electricity),
        serviceE5: e5(service),
      })),
    }
  const electricityE5 = e5(sheet.electricity)
  if (sheet.billingType === 1) {
    const { unitMinutes, stepMinutes, tiers } = sheet
    const priced = tiers.map(({ uptoMin, price }) => ({ uptoMin, priceFen: fen(price) }))
    return { ...shared, billingType: 1, unitMinutes, stepMinutes, tiers: priced, electricityE5 }
  }
  const bands = sheet.bands.map(({ maxWatt, price }) => ({ maxWatt, priceE5: e5(price) }))
  return { ...shared, billingType: 2, mode: sheet.mode, bands, electricityE5 }
}

function presetText({ by, value }: Preset): string {
  if (by === 'money') return feeText(value)
  return by === 'minutes' ? String(value) : energyText(value)
}

export function sheetOf(rules: TariffRules): TariffSheet {
  const { minFeeFen, startFeeFen, occupancy, presets, freeMinutes, maxMinutes, fullStop, refundUnused } = rules
  const shared = {
    minFee: feeText(minFeeFen),
    startFee: feeText(startFeeFen),
    freeMinutes,
    maxMinutes,
    fullStop,
    refundUnused,
    occupancy: occupancy && {
      freeMinutes: occupancy.freeMinutes,
      price: priceText(occupancy.priceE5),
      cap: feeText(occupancy.capFen),
    },
    presets: presets.map((preset) => ({ by: preset.by, value: presetText(preset) })),
  }
  if (rules.billingType === 0)
    return {
      ...shared,
      billingType: 0,
      segments: rules.segments.map(({ electricityE5, serviceE5, ...rest }) => ({
        ...rest,
        electricity: priceText(electricityE5),
        service: priceText(serviceE5),
      })),
    }
  const electricity = priceText(rules.electricityE5)
  if (rules.billingType === 1) {
    const { unitMinutes, stepMinutes } = rules
    const tiers = rules.tiers.map(({ uptoMin, priceFen }) => ({ uptoMin, price: feeText(priceFen) }))
    return { ...shared, billingType: 1, unitMinutes, stepMinutes, tiers, electricity }
  }
  const bands = rules.bands.map(({ maxWatt, priceE5 }) => ({ maxWatt, price: priceText(priceE5) }))
  return { ...shared, billingType: 2, mode: rules.mode, bands, electricity }
}

export type SheetProblem = { path: string; text: string }

/** Maps 'segments.2.electricityE5' of rules to 'segments.2.electricity' of the sheet. */
const wirePath = (path: string) => path.replace(/(?:E5|Fen)$/, '')

/**
 * The problems of rules, at the fields of the sheet: invalid values, legal requirements, and limits of the protocols.
 */
export function sheetProblems(rules: TariffRules, protocols: readonly TariffProtocol[]): SheetProblem[] {
  const own = checkRules(rules)
  const all =
    own.length > 0
      ? own
      : [...meetsPriceLaw(rules).reasons, ...protocols.flatMap((protocol) => protocolLimits(rules, protocol))]
  return all.map(({ path, text }) => ({ path: wirePath(path), text }))
}

/** The protocol limits of an adapter; other adapters have none. */
export const tariffProtocol = (adapter: string): TariffProtocol | undefined =>
  adapter === 'ykc' || adapter === 'dny' ? adapter : undefined
