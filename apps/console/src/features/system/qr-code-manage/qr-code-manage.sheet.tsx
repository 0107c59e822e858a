import { PrinterOutlined } from '@ant-design/icons'
import { type QrCode, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button, Pagination, QRCode, Segmented } from 'antd'
import { type CSSProperties, useState } from 'react'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import './qr-code-manage.sheet.css'

/** Codes to be printed: of a batch, or some that were chosen. */
export type Printed = { title: string; batchNo: string } | { title: string; ids: string[] }

/** A browser draws no more than that at once without becoming slow. */
const pageSize = 200
const widths = [
  { value: 3, label: '每行 3 个' },
  { value: 4, label: '每行 4 个' },
  { value: 5, label: '每行 5 个' },
]

/** Sheets of A4 paper with codes and their numbers, to be cut and stuck on. */
export function CodeSheet({ of, onClose }: { of: Printed; onClose: () => void }) {
  const [pageNum, setPageNum] = useState(1)
  const [across, setAcross] = useState(4)
  const { title, ...which } = of
  const query = useList(qrCodeManage.list, { query: { ...which, pageNum, pageSize } })
  return (
    <PageFrame
      title={`打印二维码：${title}`}
      note="A4 纸，打印时请选择“实际大小”，不要缩放"
      actions={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button type="primary" icon={<PrinterOutlined />} onClick={() => globalThis.print()}>
            打印
          </Button>
        </>
      }
    >
      <section className="panel code-panel">
        <div className="code-tools">
          <Segmented options={widths} value={across} onChange={setAcross} />
          <Pagination
            size="small"
            simple
            hideOnSinglePage
            current={pageNum}
            pageSize={pageSize}
            total={query.data?.total ?? 0}
            onChange={setPageNum}
          />
        </div>
        <States query={query} rows={8}>
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyPane filtered={false} text="没有可打印的二维码" />
            ) : (
              <ol className="code-sheet" style={{ '--across': across } as CSSProperties}>
                {/* The list has the newest first; sets of ports are cut out in their order. */}
                {rows.toReversed().map((row) => (
                  <CodeCell key={row.id} row={row} />
                ))}
              </ol>
            )
          }
        </States>
      </section>
    </PageFrame>
  )
}

const CodeCell = ({ row: { content, codeNo, portNo } }: { row: QrCode }) => (
  <li className="code-cell">
    <QRCode
      aria-hidden
      value={content}
      type="svg"
      errorLevel="M"
      marginSize={4}
      bordered={false}
      color="#000000"
      bgColor="#FFFFFF"
    />
    <span>{codeNo}</span>
    {portNo !== null && <span>{portNo} 号端口</span>}
  </li>
)
