import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import type { Scanned } from '@wattdeck/contract/product/device-scan.ts'
import { repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { followCommand } from '../device-command/device-command.follow.ts'

const testMinutes = 1
type Props = { found: Scanned & { device: NonNullable<Scanned['device']> } }

/** Tests a port by a free charge of one minute, and lists open repair tickets here. */
export function TestPort({ found: { code, device, port } }: Props) {
  const [portNo, setPortNo] = useState(port?.portNo ?? 1)
  const [running, setRunning] = useState(false)
  const follow = (commandId: string, what: string) =>
    void followCommand(commandId, `${what}${portNo}号端口`).catch(() => undefined)
  const start = useSubmit(deviceCommand.startPort, {
    feedback: 'quiet',
    onDone: ({ commandId }) => {
      setRunning(true)
      follow(commandId, '启动')
    },
  })
  const stop = useSubmit(deviceCommand.stopPort, {
    feedback: 'quiet',
    onDone: ({ commandId }) => {
      setRunning(false)
      follow(commandId, '停止')
    },
  })
  const body = { deviceId: device.id, portNo }
  return (
    <>
      <Can route={deviceCommand.startPort}>
        <div className="scan-test">
          <Select
            size="large"
            aria-label="测试的端口"
            value={portNo}
            onChange={setPortNo}
            options={Array.from({ length: device.portCount }, (_, place) => ({
              value: place + 1,
              label: `${place + 1} 号端口`,
            }))}
          />
          <Button
            size="large"
            type="primary"
            loading={start.pending}
            onClick={() =>
              void start.run({
                body: { ...body, minutes: testMinutes, ...(code === null ? {} : { codeId: code.id }) },
              })
            }
          >
            测试端口
          </Button>
          <Button size="large" disabled={!running} loading={stop.pending} onClick={() => void stop.run({ body })}>
            停止测试
          </Button>
        </div>
        <FailureAlert texts={[...start.texts, ...stop.texts]} />
      </Can>
      <Can route={repairTicket.list}>
        <Link to={`/product/repairTicket?keyword=${device.deviceNo}&status=2`}>
          <Button block size="large">
            该设备的维修工单
          </Button>
        </Link>
      </Can>
    </>
  )
}
