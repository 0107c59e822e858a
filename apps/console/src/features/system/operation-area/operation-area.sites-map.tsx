import { areaMost, type OperationArea, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { Alert } from 'antd'
import { MapArea } from '../../../kit/map/MapArea.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { type AreaChoice, redrawn } from './area-choice.ts'

type Props = { of: OperationArea; value: AreaChoice; onChange: (next: AreaChoice) => void }

/** Draws the area and selects the sites in it. */
export function SitesMap({ of, value, onChange }: Props) {
  const query = useDetail(operationArea.points, { params: { id: of.id } })
  return (
    <States query={query} rows={8}>
      {({ rows, more }) => (
        <>
          <Alert
            className="form-alert"
            type={more ? 'warning' : 'info'}
            showIcon
            title={
              more
                ? `站点过多，地图仅显示最近的 ${areaMost.points} 个。请先把区域的省市区设置得更小。`
                : '圈内的站点自动选中。没有经纬度的站点不在地图上，请在列表中选择。'
            }
          />
          <MapArea
            value={value.corners}
            points={rows}
            near={of.districtCode ?? of.cityCode ?? of.provinceCode ?? undefined}
            onChange={(corners) => onChange(redrawn(value, rows, corners))}
          />
        </>
      )}
    </States>
  )
}
