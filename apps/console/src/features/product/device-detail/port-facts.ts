import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import type { DevicePort } from '@wattdeck/contract/product/device-detail.ts'

type Measured = Pick<DevicePort, 'status' | 'powerDw' | 'energyWh' | 'minutes' | 'temperatureC' | 'orderNo'>

const measure = (value: number | null, size: number, unit: string) =>
  value === null ? null : `${Math.round((value / size) * 100) / 100} ${unit}`

/** The facts of a port. A device keeps the readings of the last charge, so they are shown only while charging. */
export function portFacts({ status, powerDw, energyWh, minutes, temperatureC, orderNo }: Measured) {
  const charge =
    status === plugStatus.code.working
      ? ([
          ['功率', measure(powerDw, 10, 'W')],
          ['电量', measure(energyWh, 1000, 'kWh')],
          ['时长', measure(minutes, 1, '分钟')],
        ] as const)
      : []
  const order = status === plugStatus.code.working ? ([['订单', orderNo]] as const) : []
  const facts = [...charge, ['温度', measure(temperatureC, 1, '℃')] as const, ...order]
  return facts.filter((fact): fact is typeof fact & { 1: string } => fact[1] !== null)
}
