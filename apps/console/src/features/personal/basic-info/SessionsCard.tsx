import { type OwnSession, ownSession, sessionFactor, sessionOpening } from '@wattdeck/contract/personal/own-session.ts'
import { Button } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { browserLabel } from './browser-label.ts'
import { Section } from '../_shared/Section.tsx'

const refresh = [ownSession.list]

const openingText = ({ openedBy, factor, actedBy }: OwnSession) =>
  [
    cells.label(sessionOpening, openedBy) + (actedBy ? `（${actedBy}）` : ''),
    ...(factor ? [cells.label(sessionFactor, factor)] : []),
  ].join(' + ')

/** The open sessions of the user, with actions to end them. */
export function SessionsCard() {
  const query = useDetail(ownSession.list)
  const end = useConfirmedSubmit(ownSession.end, { refresh })
  const endOthers = useConfirmedSubmit(ownSession.endOthers, { refresh })
  const entry = (one: OwnSession) => {
    const label = browserLabel(one.userAgent)
    return (
      <li key={one.id}>
        <div>
          <h3>
            {label} {one.isCurrent && <Tag tone="ok">当前会话</Tag>}
          </h3>
          <p className="meta">
            {openingText(one)}，{cells.text(one.ip)}
          </p>
          <p className="meta">
            登录于 {cells.time(one.createdAt)}，最近使用 {cells.ago(one.lastSeenAt)}
          </p>
        </div>
        {!one.isCurrent && (
          <Button
            aria-label={`结束会话 ${label}`}
            onClick={() => end({ title: `确定要结束会话「${label}」吗？`, danger: true }, { body: { id: one.id } })}
          >
            结束
          </Button>
        )}
      </li>
    )
  }
  return (
    <Section title="登录会话">
      <States query={query} rows={3}>
        {(sessions) => (
          <>
            <ul className="security">{sessions.map(entry)}</ul>
            {sessions.length > 1 && (
              <Button
                className="end-others"
                danger
                onClick={() =>
                  endOthers(
                    {
                      title: '确定要结束其他会话吗？',
                      content: '除当前会话外，其他设备上的登录都将退出。',
                      danger: true,
                    },
                    {},
                  )
                }
              >
                结束其他会话
              </Button>
            )}
          </>
        )}
      </States>
    </Section>
  )
}
