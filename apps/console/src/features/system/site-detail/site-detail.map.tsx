import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { Empty } from 'antd'
import { MapFrame } from '../../../kit/map/MapFrame.tsx'
import { Pin } from '../../../kit/map/MapMarks.tsx'

export function SiteMap({ row: { lng, lat } }: { row: SiteDetail }) {
  if (lng === null || lat === null)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有填写经纬度，可在「编辑」中补充" />
  return (
    <MapFrame label="站点位置" focus={{ lng, lat }} hint={`经纬度 ${lng}, ${lat}`} onPoint={() => undefined}>
      {(onScreen) => <Pin {...onScreen({ lng, lat })} />}
    </MapFrame>
  )
}
