import {
  type MessageReplay,
  messageReplay,
  replayFlow,
  replaySpeed,
  replayStatus,
} from '@wattdeck/contract/product/message-replay.ts'
import { Alert, Button, Descriptions, Drawer, Progress } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { devicePath } from '../../../kit/objects/object-types.ts'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { ReplayComparison } from './message-replay.comparison.tsx'
import '../_shared/product.css'

const lookEveryMs = 1000

/** The current state of a replay, polled until it ends. */
function useReplay(id: string) {
  const read = useDetail(messageReplay.read, { params: { id } })
  const { data, refetch } = read
  const going = data === undefined || replayFlow.can('cancel', data.status)
  useEffect(() => {
    if (!going) return undefined
    const timer = setInterval(() => void refetch(), lookEveryMs)
    return () => {
      clearInterval(timer)
      void refetchRoutes([messageReplay.list])
    }
  }, [going, refetch])
  return read
}

/** Progress and result of a replay, which continues when the drawer is closed. */
export function ReplayDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const replay = useReplay(id)
  const cancel = useConfirmedSubmit(messageReplay.cancel, { refresh: [messageReplay.read, messageReplay.list] })
  const goes = replay.data !== undefined && replayFlow.can('cancel', replay.data.status)
  return (
    <Drawer
      open
      title="报文重放"
      size={900}
      onClose={onClose}
      extra={
        goes && (
          <Can route={messageReplay.cancel}>
            <Button
              danger
              onClick={() =>
                cancel(
                  { title: '确定要取消重放吗？', content: '已重放的报文保留在测试设备上', okText: '取消重放' },
                  { body: { id } },
                )
              }
            >
              取消重放
            </Button>
          </Can>
        )
      }
    >
      <States query={replay} rows={6}>
        {(data) => (
          <>
            <ReplayFacts replay={data} />
            {!goes && data.done > 0 && <ReplayComparison id={id} />}
          </>
        )}
      </States>
    </Drawer>
  )
}

function ReplayFacts({ replay }: { replay: MessageReplay }) {
  const { status, reason, total, done } = replay
  const over = !replayFlow.can('cancel', status)
  const look = status === replayStatus.code.finished ? 'success' : over ? 'exception' : 'normal'
  return (
    <>
      <Progress aria-label="重放进度" percent={Math.floor((done / total) * 100)} status={look} />
      <p aria-live="polite">
        {cells.status(replayStatus, status)} 共 {cells.count(total)} 条上行报文，已重放 {cells.count(done)} 条
      </p>
      {reason !== null && <Alert type="error" showIcon title={reason} />}
      <Descriptions
        bordered
        size="small"
        column={{ xs: 1, sm: 2 }}
        items={[
          {
            key: 'source',
            label: '原设备',
            children: (
              <ObjectLink kind="device" id={replay.deviceId}>
                {replay.deviceNo}
              </ObjectLink>
            ),
          },
          {
            key: 'target',
            label: '测试设备',
            children: (
              <Link to={`${devicePath(replay.targetDeviceId)}&tab=journal`}>
                {replay.targetDeviceNo}（{replay.targetOrganiseName}）
              </Link>
            ),
          },
          { key: 'begin', label: '首条报文', children: cells.time(replay.beginAt) },
          { key: 'end', label: '截止时间', children: cells.time(replay.endAt) },
          { key: 'speed', label: '速度', children: cells.label(replaySpeed, replay.speed) },
          { key: 'by', label: '发起人', children: replay.createdBy },
          { key: 'started', label: '开始重放', children: cells.time(replay.startedAt) },
          { key: 'finished', label: '结束重放', children: cells.time(replay.finishedAt) },
        ]}
      />
    </>
  )
}
