import { packColumns, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { useSubmit } from '../form/use-submit.ts'

/** As many as fit into the address of a list. */
export const mostCodesById = 100

/** Asks for an archive of the codes that a filter finds. */
export function useCodePack() {
  const { run, pending } = useSubmit(qrCodeManage.pack)
  const pack = (query: string, conditions: string) => void run({ body: { query, conditions, columns: packColumns } })
  return { pack, pending }
}
