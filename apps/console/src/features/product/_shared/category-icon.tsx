import {
  ApiOutlined,
  AppstoreOutlined,
  CarOutlined,
  HddOutlined,
  SkinOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons'
import type { DeviceCategory } from '@wattdeck/contract/product/device-category.ts'
import type { ComponentType } from 'react'

type Icon = NonNullable<DeviceCategory['icon']>
const icons: Record<Icon, ComponentType> = {
  car: CarOutlined,
  pile: ThunderboltOutlined,
  socket: ApiOutlined,
  cabinet: HddOutlined,
  washer: SkinOutlined,
  other: AppstoreOutlined,
}

export function CategoryIcon({ name }: { name: Icon | null }) {
  const Shown = icons[name ?? 'other']
  return <Shown />
}
