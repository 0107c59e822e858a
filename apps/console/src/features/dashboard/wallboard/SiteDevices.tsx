import type { AreaDevices } from '@wattdeck/contract/dashboard/big-screen-devices.ts'
import { areaState } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import type { z } from 'zod'

/** The devices of one site with their states. */
export const SiteDevices = ({ places: { devices, hiddenCount } }: { places: z.infer<typeof AreaDevices> }) => (
  <div className="wallboard-areas" data-site>
    {devices.length === 0 && <p>{hiddenCount > 0 ? '设备没有位置信息' : '站点没有设备'}</p>}
    <ul aria-label="站点设备">
      {devices.map(({ id, deviceName, deviceNo, state, workingPortNum, totalPortCount }) => (
        <li key={id} data-state={state}>
          <span className="one-line" title={deviceNo}>
            {deviceName || deviceNo}
          </span>
          <small>{areaState.show(state).label}</small>
          <em>{`${workingPortNum} / ${totalPortCount} 口`}</em>
        </li>
      ))}
    </ul>
  </div>
)
