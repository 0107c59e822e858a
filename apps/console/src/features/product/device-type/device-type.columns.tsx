import type { DeviceType } from '@wattdeck/contract/product/device-type.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'

const powerText = (watts: number) => (watts < 1000 ? `${watts} W` : `${watts / 1000} kW`)

export const deviceTypeColumns: ColumnChanges<DeviceType> = {
  portCount: { align: 'end' },
  ratedW: { render: (row) => powerText(row.ratedW) },
}

export const pictureColumn: Column<DeviceType> = {
  key: 'picture',
  title: '图片',
  width: 70,
  render: (row) =>
    row.pictureId === null ? cells.dash : <FilePicture id={row.pictureId} alt={`${row.name}图片`} size={32} />,
}
