import type { QrCode } from '@wattdeck/contract/system/qr-code-manage.ts'
import { qrCodeKind, qrCodeType } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button, Descriptions, Modal } from 'antd'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { QrPicture } from '../../../kit/media/QrPicture.tsx'
import '../_shared/system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

/** One code as printed. */
export function CodeDialog({ row, onClose }: { row: QrCode; onClose: () => void }) {
  const facts = [
    { key: 'codeNo', label: '编码', children: <CopyId value={row.codeNo} what="编码" /> },
    {
      key: 'kind',
      label: '类别',
      children: `${cells.label(qrCodeKind, row.kind)} · ${cells.label(qrCodeType, row.type)}`,
    },
    {
      key: 'content',
      label: '内容URL',
      children: (
        <span className="long-link">
          <CopyId value={row.content} what="内容URL" />
        </span>
      ),
    },
    {
      key: 'device',
      label: '绑定设备',
      children: (
        <ObjectLink kind="device" id={row.deviceId}>
          {cells.text(row.deviceNo)}
        </ObjectLink>
      ),
    },
    { key: 'port', label: '端口号', children: cells.text(row.portNo) },
    {
      key: 'bound',
      label: '绑定',
      children: row.boundAt === null ? cells.dash : `${row.boundBy ?? ''} ${row.boundAt}`,
    },
  ]
  return (
    <Modal
      open
      title={`二维码 ${row.codeNo}`}
      width={dialogWidth.s}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          关闭
        </Button>
      }
    >
      <QrPicture value={row.content} label={`二维码 ${row.codeNo}`} size={220} />
      <Descriptions className="dialog-facts" column={1} bordered size="small" items={facts} />
    </Modal>
  )
}
