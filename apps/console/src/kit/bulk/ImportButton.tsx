import { ImportOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import { Can } from '../api/Can.tsx'

/** Opens the import of a list; hidden from users without the right. */
export const ImportButton = ({ route, onClick }: { route: AnyRoute; onClick: () => void }) => (
  <Can route={route}>
    <Button icon={<ImportOutlined />} onClick={onClick}>
      导入
    </Button>
  </Can>
)
