import type { DeviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { Empty } from 'antd'
import { MapFrame } from '../../../kit/map/MapFrame.tsx'
import { Pin } from '../../../kit/map/MapMarks.tsx'
import '../_shared/product.css'

/** The location of the device, otherwise of its site. */
function placeOf({ lng, lat, siteLng, siteLat }: DeviceDetail) {
  if (lng !== null && lat !== null) return { point: { lng, lat }, of: '设备' }
  if (siteLng !== null && siteLat !== null) return { point: { lng: siteLng, lat: siteLat }, of: '站点' }
  return undefined
}

export function DeviceMap({ device }: { device: DeviceDetail }) {
  const place = placeOf(device)
  return (
    <section className="panel device-section">
      {place === undefined ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="设备和所属站点都没有填写经纬度" />
      ) : (
        <MapFrame
          label={`${place.of}位置`}
          focus={place.point}
          hint={`${place.of}位置 ${place.point.lng}, ${place.point.lat}${device.siteName === null ? '' : `（${device.siteName}）`}`}
          onPoint={() => undefined}
        >
          {(onScreen) => <Pin {...onScreen(place.point)} />}
        </MapFrame>
      )}
    </section>
  )
}
