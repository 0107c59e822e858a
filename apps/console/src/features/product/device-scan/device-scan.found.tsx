import { installStatus, plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { deviceScan, type Scanned } from '@wattdeck/contract/product/device-scan.ts'
import { qrCodeKind, qrCodeManage, qrCodeStatus } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button, Descriptions, Form } from 'antd'
import { Link } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { devicePath } from '../../../kit/objects/object-types.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { OnlineDot, SignalBars } from '../../../kit/devices/device-cells.tsx'
import { TestPort } from './device-scan.test-port.tsx'

type Device = NonNullable<Scanned['device']>
const fact = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })

const codeFacts = (code: NonNullable<Scanned['code']>) => [
  fact('codeNo', '编码', code.codeNo),
  fact('kind', '类别', cells.label(qrCodeKind, code.kind)),
  fact('status', '使用状态', cells.status(qrCodeStatus, code.status)),
]
const deviceFacts = (device: Device, port: Scanned['port']) => [
  fact('deviceNo', '设备编号', device.deviceNo),
  fact('name', '设备名称', device.name),
  fact('type', '型号', device.typeName),
  fact('online', '在线状态', <OnlineDot online={device.online} />),
  fact('csq', '信号强度', <SignalBars csq={device.csq} />),
  fact('seen', '最近通信', cells.ago(device.lastSeenAt)),
  ...(port === null ? [] : [fact('port', `${port.portNo} 号端口`, cells.status(plugStatus, port.status))]),
  fact('organise', '所属机构', device.organiseName),
  fact('site', '站点', device.siteName ?? '未安装到站点'),
  fact('install', '安装状态', cells.status(installStatus, device.installStatus)),
]

type Props = { found: Scanned; onBind: () => void; onPlaced: () => void }

/** The scan result and its actions. */
export function FoundPane({ found, onBind, onPlaced }: Props) {
  const { code, device, port } = found
  return (
    <div className="scan-found">
      {code && <Descriptions title="二维码" column={1} bordered size="small" items={codeFacts(code)} />}
      {device ? (
        <Descriptions title="设备" column={1} bordered size="small" items={deviceFacts(device, port)} />
      ) : (
        <p>该二维码尚未绑定设备</p>
      )}
      {code && (
        <Can route={qrCodeManage.bind}>
          <Button block size="large" type={device ? 'default' : 'primary'} onClick={onBind}>
            {device ? '改绑到其他设备' : '绑定设备'}
          </Button>
        </Can>
      )}
      {device && (
        <Can route={deviceScan.place}>
          <PlaceForm device={device} onDone={onPlaced} />
        </Can>
      )}
      {device && <TestPort key={device.id} found={{ ...found, device }} />}
      {device && (
        <Can route={deviceDetail.read}>
          <Link to={devicePath(device.id)}>
            <Button block size="large">
              设备详情
            </Button>
          </Link>
        </Can>
      )}
    </div>
  )
}

function PlaceForm({ device, onDone }: { device: Device; onDone: () => void }) {
  const submit = useSubmit(deviceScan.place, { feedback: 'inline', onDone })
  return (
    <Form
      layout="vertical"
      initialValues={{ siteId: device.siteId }}
      onFinish={({ siteId }: { siteId: string }) => void submit.run({ body: { deviceId: device.id, siteId } })}
    >
      <Form.Item name="siteId" label="安装站点" rules={[{ required: true, message: '请选择安装站点' }]}>
        <OwnerSelect level="site" within={{ organiseId: device.organiseId }} placeholder="请选择" />
      </Form.Item>
      <FailureAlert texts={submit.texts} />
      <Button block size="large" htmlType="submit" loading={submit.pending}>
        登记安装站点
      </Button>
    </Form>
  )
}
