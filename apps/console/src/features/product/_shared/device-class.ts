import { type DeviceClass, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { useDetail } from '../../../kit/api/queries.ts'

type Option = { value: string; label: string }

/** The catalogue as options: big categories, small ones, models. */
export function classOptions(classes: readonly DeviceClass[]) {
  const smalls = classes.flatMap((big) => big.children.map((small) => ({ ...small, big })))
  return {
    categories: classes.map(({ id, name }): Option => ({ value: id, label: name })),
    smalls: smalls.map(({ id, name, big }): Option => ({ value: id, label: `${big.name} / ${name}` })),
    types: smalls.flatMap(({ types }) =>
      types.map(({ id, code, name }): Option => ({ value: id, label: `${name}（${code}）` })),
    ),
    /** For a form: models available for a new device, and the current model. */
    groups: (own?: string) =>
      smalls
        .map(({ name, types, big }) => ({
          label: `${big.name} / ${name}`,
          options: types
            .filter(({ id, usable }) => usable || id === own)
            .map(({ id, code, name: type, portCount }): Option => ({
              value: id,
              label: `${type}（${code}，${portCount} 路）`,
            })),
        }))
        .filter(({ options }) => options.length > 0),
  }
}

const nothing: readonly DeviceClass[] = []
export const useDeviceClasses = () => classOptions(useDetail(deviceManage.deviceClass).data ?? nothing)
