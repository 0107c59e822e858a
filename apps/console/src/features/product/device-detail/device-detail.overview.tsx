import { enabledStatus } from '@wattdeck/contract/common.ts'
import { deviceServiceStatus, installStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type DeviceDetail, deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { Descriptions } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import { States } from '../../../kit/display/States.tsx'
import { SignalBars } from '../../../kit/devices/device-cells.tsx'
import { PortCard } from './PortCard.tsx'
import { parameterText } from '../_shared/attribute-text.ts'
import '../_shared/product.css'

const columns = { xs: 1, sm: 2, lg: 3 }
const fact = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })

const liveFacts = (device: DeviceDetail) => [
  fact('csq', '信号强度', <SignalBars csq={device.csq} />),
  fact('voltage', '电压', device.voltageDv === null ? cells.dash : `${device.voltageDv / 10} V`),
  fact('temperature', '温度', device.temperatureC === null ? cells.dash : `${device.temperatureC} ℃`),
  fact('lastSeen', '最近通信', cells.time(device.lastSeenAt)),
  fact('connected', '最近上线', cells.time(device.connectedAt)),
  fact('disconnected', '最近离线', cells.time(device.disconnectedAt)),
  fact('address', '连接地址', cells.text(device.address)),
]

const tariffText = ({ tariffId, tariffName, tariffOfSite }: DeviceDetail) =>
  tariffName === null ? (
    cells.dash
  ) : (
    <ObjectLink kind="tariff" id={tariffId}>{`${tariffName}${tariffOfSite ? '（随站点）' : ''}`}</ObjectLink>
  )

const basicFacts = (device: DeviceDetail) => [
  fact('deviceNo', '设备编号', device.deviceNo),
  fact('wireId', '通信标识', <CopyId value={device.wireId} what="通信标识" />),
  fact('status', '状态', cells.status(enabledStatus, device.status)),
  fact('category', '设备类别', `${device.categoryName} / ${device.smallCategoryName}`),
  fact('type', '设备型号', `${device.typeName}（${device.typeCode}）`),
  fact('protocol', '协议', device.protocolName),
  fact('tariff', '消费标准', tariffText(device)),
  fact('imei', 'IMEI', cells.text(device.imei)),
  fact('iccid', 'ICCID', cells.text(device.iccid)),
  fact('region', '省市区', cells.text(device.regionName)),
  fact('software', '软件版本', cells.text(device.softwareVersion)),
  fact('hardware', '硬件版本', cells.text(device.hardwareVersion)),
  fact('install', '安装状态', cells.status(installStatus, device.installStatus)),
  fact('installedBy', '安装人', cells.text(device.installedBy)),
  fact('installedAt', '安装时间', cells.time(device.installedAt)),
  fact(
    'service',
    '基础服务',
    <>
      {cells.status(deviceServiceStatus, device.serviceStatus)} 至 {device.serviceUntil}
    </>,
  ),
  fact('createdBy', '创建人', cells.text(device.createdBy)),
  fact('createdAt', '创建时间', cells.time(device.createdAt)),
  fact('remark', '备注', cells.text(device.remark)),
]

export function DeviceOverview({ device }: { device: DeviceDetail }) {
  return (
    <div className="device-sections">
      <section className="panel device-section">
        <h2>端口</h2>
        <ul className={device.online ? 'port-cards' : 'port-cards last-known'}>
          {device.ports.map((port) => (
            <PortCard key={port.portNo} device={device} port={port} />
          ))}
        </ul>
        {!device.online && <p className="meta">设备离线，以上为离线前的状态</p>}
      </section>
      <section className="panel device-section">
        <h2>实时数据</h2>
        <Descriptions size="small" column={columns} items={liveFacts(device)} />
      </section>
      <section className="panel device-section">
        <h2>基本信息</h2>
        <Descriptions size="small" column={columns} items={basicFacts(device)} />
      </section>
      <PileFields id={device.id} />
    </div>
  )
}

function PileFields({ id }: { id: string }) {
  const fields = useDetail(deviceDetail.pileFields, { query: { deviceId: id } })
  return (
    <section className="panel device-section">
      <h2>设备参数</h2>
      <States query={fields} rows={2}>
        {(data) => (
          <Descriptions
            size="small"
            column={columns}
            items={data.map(({ key, label: name, value, unit }) => {
              const { label, text } = parameterText(name, value, unit)
              return fact(key, label, text)
            })}
          />
        )}
      </States>
    </section>
  )
}
