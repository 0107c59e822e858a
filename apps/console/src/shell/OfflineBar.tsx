import { DisconnectOutlined } from '@ant-design/icons'
import { useOffline } from '../kit/api/connection.ts'

/** Shown while the server cannot be reached. At the bottom, where it covers no field of a dialog. */
export function OfflineBar() {
  return useOffline() ? (
    <div className="offline-bar" role="alert">
      <DisconnectOutlined /> 网络已断开，正在重新连接…
    </div>
  ) : null
}
