import {
  alwaysPopsUp,
  notification,
  type NotificationPreference,
  popupType,
} from '@wattdeck/contract/auth/notification.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Switch } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useUndoable } from '../../../kit/form/use-undoable.tsx'
import { Section } from '../_shared/Section.tsx'

const route = notification.savePreference
const refresh = [notification.preferences]
const bodyOf = (type: string, popup: boolean) => ({ type: Number(type), popup }) as BodyOf<typeof route>

/** The notice types that pop up. The drawer lists all notices regardless. */
export function NotificationSettings() {
  const query = useDetail(notification.preferences)
  const { shown, change } = useUndoable(route, { bodyOf, refresh })
  const entry = ({ type, popup }: NotificationPreference) => {
    const key = String(type)
    const on = shown(key) ?? popup
    const { label } = popupType.show(type)
    const text = (after: boolean) => `已${after ? '开启' : '关闭'}「${label}」弹窗`
    return (
      <li key={key}>
        <StatusTag of={popupType} value={type} />
        {alwaysPopsUp(type) && <span className="meta">重要预警，不能关闭</span>}
        <Switch
          aria-label={`${label}弹窗`}
          checked={on}
          disabled={alwaysPopsUp(type)}
          onChange={(after) => change({ key, before: on, after, text: text(after) })}
        />
      </li>
    )
  }
  return (
    <Section title="通知设置">
      <p className="meta">关闭后不再弹出提醒，通知仍会保留在右上角的通知列表中。</p>
      <States query={query} rows={4}>
        {(preferences) => <ul className="preferences">{preferences.map((one) => entry(one))}</ul>}
      </States>
    </Section>
  )
}
