import { packColumns, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { useSubmit } from '../form/use-submit.ts'

/** The maximum number of ids that fit into the address of a list. */
export const mostCodesById = 100

/** Requests an archive of the codes of a filter. */
export function useCodePack() {
  const { run, pending } = useSubmit(qrCodeManage.pack)
  const pack = (query: string, conditions: string) => void run({ body: { query, conditions, columns: packColumns } })
  return { pack, pending }
}
