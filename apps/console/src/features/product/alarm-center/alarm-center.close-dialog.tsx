import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'

type Props = { ids: string[]; refresh: readonly AnyRoute[]; onDone?: () => void; onClose: () => void }

export const CloseAlarmDialog = ({ ids, refresh, onDone, onClose }: Props) => (
  <FormDialog
    title={ids.length === 1 ? '关闭告警' : `关闭 ${ids.length} 条告警`}
    route={alarmCenter.close}
    refresh={refresh}
    also={{ ids }}
    okText="关闭告警"
    onClose={onClose}
    {...(onDone && { onDone })}
  >
    <LinesField
      name="reason"
      label="关闭原因"
      help="设备仍有异常时，下次上报会产生新的告警"
      autoSize={{ minRows: 2, maxRows: 5 }}
    />
  </FormDialog>
)
