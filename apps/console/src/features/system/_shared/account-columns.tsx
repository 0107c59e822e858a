import { enabledStatus } from '@wattdeck/contract/common.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

type Account = {
  status: (typeof enabledStatus.options)[number]['value']
  locked: boolean
  roles: readonly { name: string }[]
  lastLoginAt: string | null
}

/** Columns that the lists of accounts show alike. */
export const accountColumns = {
  /** A locked account is what one looks for first, unless it is disabled anyway. */
  status: {
    render: ({ status, locked }: Account) =>
      locked && status === enabledStatus.code.enabled ? (
        <Tag tone="warn">已锁定</Tag>
      ) : (
        cells.status(enabledStatus, status)
      ),
  },
  roleNames: { render: ({ roles }: Account) => cells.names(roles.map(({ name }) => name)) },
  lastLoginAt: { render: ({ lastLoginAt }: Account) => cells.ago(lastLoginAt) },
}
