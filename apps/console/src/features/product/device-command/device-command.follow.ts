import { commandStatus, deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { useRef } from 'react'
import { call } from '../../../kit/api/api.ts'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { toast } from '../../../kit/display/toasts.ts'
import { type Sheet, useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import type { SubmitInput } from '../../../kit/form/use-submit.ts'

const lookEveryMs = 600
/** Longer than the response timeout of any device. */
const patienceMs = 60_000
const pause = () => new Promise((resume) => setTimeout(resume, lookEveryMs))

/** Shows the result of a command as soon as it is known, also after the user has left the page. */
export async function followCommand(id: string, what: string): Promise<void> {
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    await pause()
    const { data } = await call(deviceCommand.read, { params: { id } })
    if (data.status === commandStatus.code.parked) return toast('warning', `${what}：设备离线，指令将在上线后执行`)
    if (data.endedAt === null) continue
    void refetchRoutes([deviceCommand.list, deviceManage.list])
    const { label, tone } = commandStatus.show(data.status)
    if (tone === 'ok') return toast('success', `${what}：${label}`)
    return toast(tone === 'warn' ? 'warning' : 'error', `${what}：${data.reason ?? label}`)
  }
  toast('warning', `${what}：尚无结果，可在设备详情的指令记录中查看`)
}

type Giving = typeof deviceCommand.operate | typeof deviceCommand.startPort | typeof deviceCommand.stopPort

/** Confirms the consequences, sends the command, and shows the result under the name of the operation. */
export function useCommand<R extends Giving>(route: R) {
  const operationName = useRef('')
  const give = useConfirmSheet(route, {
    feedback: 'silent',
    refresh: [deviceCommand.list, deviceDetail.operations],
    onDone: (data) =>
      void followCommand((data as { commandId: string }).commandId, operationName.current).catch(() => undefined),
  })
  return (what: string, sheet: Sheet, input: SubmitInput<R>) => {
    operationName.current = what
    give(sheet, input)
  }
}
