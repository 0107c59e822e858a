import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { Account, accountList } from '@wattdeck/contract/system/user-maintenance.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

export const accountColumns: ColumnChanges<Account, keyof typeof accountList.fields> = {
  /** A lock takes precedence over the enabled status. */
  status: {
    render: ({ status, locked }) =>
      locked && status === enabledStatus.code.enabled ? (
        <Tag tone="warn">已锁定</Tag>
      ) : (
        cells.status(enabledStatus, status)
      ),
  },
  roleNames: { render: ({ roles }) => cells.names(roles.map(({ name }) => name)) },
  lastLoginAt: { render: ({ lastLoginAt }) => cells.ago(lastLoginAt) },
}
