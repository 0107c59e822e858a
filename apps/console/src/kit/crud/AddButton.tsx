import { PlusOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import { Can } from '../api/Can.tsx'

type Props = { route: AnyRoute; label: string; onClick: () => void }

/** The first button of a list, shown to those who may add to it. */
export const AddButton = ({ route, label, onClick }: Props) => (
  <Can route={route}>
    <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={onClick}>
      {label}
    </Button>
  </Can>
)
