import { type QrCode, qrCodeFlow, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Can } from '../../../kit/api/Can.tsx'
import type { Chosen } from '../../../kit/list/chosen.ts'
import { ReasonButton } from '../../../kit/form/ReasonButton.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import type { Printed } from '../../../kit/media/CodeSheet.tsx'
import { mostCodesById, useCodePack } from '../../../kit/media/use-code-pack.ts'

type Props = { chosen: Chosen<QrCode>; onPrint: (what: Printed) => void; onUnbind: () => void }

export function CodeBatch({ chosen, onPrint, onUnbind }: Props) {
  const { ids, rows, filter, count } = chosen
  const { pack, pending } = useCodePack()
  const use = useConfirmedSubmit(qrCodeManage.use, { refresh: [qrCodeManage.list], onDone: chosen.clear })
  const single = filter === undefined ? undefined : '请逐条勾选'
  const many =
    filter === undefined && count > mostCodesById ? `一次最多勾选${mostCodesById}条，或选择全部筛选结果` : undefined
  const query = filter ?? `ids=${encodeURIComponent(ids.join(','))}`
  const used = rows.some((row) => !qrCodeFlow.can('use', row.status)) ? '所选二维码中有已使用的' : undefined
  const unbound = rows.some((row) => row.deviceId === null) ? '所选二维码中有未绑定的' : undefined
  const look = { className: 'batch-button', size: 'small' } as const
  return (
    <>
      <Can route={qrCodeManage.pack}>
        <ReasonButton
          {...look}
          reason={many}
          loading={pending}
          onClick={() => pack(query, filter === undefined ? `所选 ${count} 个` : `筛选结果 ${count} 个`)}
        >
          打包下载
        </ReasonButton>
      </Can>
      <ReasonButton {...look} reason={single ?? many} onClick={() => onPrint({ title: `所选 ${count} 个`, ids })}>
        打印
      </ReasonButton>
      <Can route={qrCodeManage.use}>
        <ReasonButton
          {...look}
          reason={single ?? used}
          onClick={() =>
            use({ title: `确定要将所选的 ${count} 个二维码标记为已用吗？`, okText: '标记' }, { body: { ids } })
          }
        >
          标记已用
        </ReasonButton>
        <ReasonButton {...look} reason={single ?? unbound} onClick={onUnbind}>
          解绑
        </ReasonButton>
      </Can>
    </>
  )
}
