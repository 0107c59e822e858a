import type { Login } from '@wattdeck/contract/dashboard/work-table.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { NothingHere } from '../_shared/Block.tsx'

const most = 6

export function RecentLogins({ logins }: { logins: readonly Login[] }) {
  if (logins.length === 0) return <NothingHere>暂无登录记录</NothingHere>
  return (
    <ul className="logins">
      {logins.slice(0, most).map((login, place) => (
        <li key={login.at + String(place)}>
          <Tag tone={login.success ? 'ok' : 'bad'}>{login.success ? '成功' : '失败'}</Tag>
          <span>{login.does}</span>
          <span className="login-ip">{cells.text(login.ip)}</span>
          <span className="login-at">{cells.time(login.at)}</span>
        </li>
      ))}
    </ul>
  )
}
