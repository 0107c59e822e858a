import type { Organise } from '@wattdeck/contract/system/organise.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

export const organiseColumns: ColumnChanges<Organise> = {
  name: {
    render: (row) => (
      <>
        {row.name} {row.test && <Tag tone="book">测试</Tag>}
      </>
    ),
  },
  serviceExpiresOn: { render: (row) => cells.time(row.serviceExpiresOn) },
  legalPerson: {
    render: (row) => <MaskedText value={row.legalPerson} kind="organise" id={row.id} field="legalPerson" what="法人" />,
  },
  test: false,
}
