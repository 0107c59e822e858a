import { PlusOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Can } from '../api/Can.tsx'

const plus = <PlusOutlined />
type Props = { route: AnyRoute; label: string; icon?: ReactNode; onClick: () => void }

/** The primary button of a list, which usually adds a row; hidden from users without the right. */
export const MainButton = ({ route, label, icon = plus, onClick }: Props) => (
  <Can route={route}>
    <Button type="primary" icon={icon} data-shortcut="n" onClick={onClick}>
      {label}
    </Button>
  </Can>
)
