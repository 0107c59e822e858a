import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { type QrCode, qrCodeKind, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button, Pagination, QRCode, Segmented } from 'antd'
import { type CSSProperties, useState } from 'react'
import { Can } from '../api/Can.tsx'
import { useList } from '../api/queries.ts'
import { PageFrame } from '../display/PageFrame.tsx'
import { EmptyPane, States } from '../display/States.tsx'
import './code-sheet.css'
import { useCodePack } from './use-code-pack.ts'

/** Codes to print: of a batch, of devices, or selected ones. */
export type Printed = { title: string } & ({ batchNo: string } | { ids: string[] } | { deviceIds: string[] })

/** A browser becomes slow when it renders more codes at once. */
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
  const { pack, pending } = useCodePack()
  const ofDevices = 'deviceIds' in which
  return (
    <PageFrame
      title={ofDevices ? `二维码：${title}` : `打印二维码：${title}`}
      note="A4 纸，打印时请选择“实际大小”，不要缩放"
      actions={
        <>
          <Button onClick={onClose}>返回</Button>
          <Can route={qrCodeManage.pack}>
            <Button
              icon={<DownloadOutlined />}
              loading={pending}
              onClick={() => pack(new URLSearchParams(texts(which)).toString(), title)}
            >
              打包下载
            </Button>
          </Can>
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
              <EmptyPane filtered={false} text={ofDevices ? '设备还没有绑定二维码' : '没有可打印的二维码'} />
            ) : (
              <ol className="code-sheet" style={{ '--across': across } as CSSProperties}>
                {/* The list has the newest first; codes of devices are printed in the order of their ports. */}
                {(ofDevices ? rows.toSorted(byDevice) : rows.toReversed()).map((row) => (
                  <CodeCell key={row.id} row={row} label={ofDevices ? deviceLabel(row) : undefined} />
                ))}
              </ol>
            )
          }
        </States>
      </section>
    </PageFrame>
  )
}

/** The conditions of the list in the format of its address. */
const texts = (which: object) =>
  Object.fromEntries(
    Object.entries(which).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )

const place = ({ deviceNo, kind, portNo }: QrCode) => [deviceNo ?? '', kind, portNo ?? 0] as const
function byDevice(one: QrCode, other: QrCode): number {
  const [deviceNo, kind, portNo] = place(one)
  const [otherNo, otherKind, otherPort] = place(other)
  return deviceNo.localeCompare(otherNo) || kind - otherKind || portNo - otherPort
}

const deviceLabel = ({ deviceNo, kind }: QrCode) => `${deviceNo ?? ''} ${qrCodeKind.show(kind).label}`

type CellProps = { row: QrCode; label: string | undefined }

const CodeCell = ({ row: { content, codeNo, portNo }, label }: CellProps) => (
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
    {label !== undefined && <span>{label}</span>}
    {portNo !== null && <span>{portNo} 号端口</span>}
  </li>
)
