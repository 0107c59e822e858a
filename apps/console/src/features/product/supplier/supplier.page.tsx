import { supplierCrud } from '@wattdeck/contract/product/supplier.ts'
import { CrudDialog } from '../../../kit/crud/CrudDialog.tsx'
import { useCrud } from '../../../kit/crud/use-crud.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'

export default function SupplierPage() {
  const { list, dialog } = useCrud(supplierCrud, {
    nameOf: (row) => row.name,
    personal: 'supplier',
    disableWarning: '停用后不能再为新的来料选择该供应商，已有记录不受影响',
  })
  return (
    <>
      <ListPage {...list} />
      {dialog && <CrudDialog {...dialog} />}
    </>
  )
}
