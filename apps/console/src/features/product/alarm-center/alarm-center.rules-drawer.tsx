import { userType } from '@wattdeck/contract/common.ts'
import { alarmCenter, type AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import {
  alarmKind,
  alarmSeverity,
  kindName,
  proofOf,
  ruleMinutes,
  ruleThreshold,
} from '@wattdeck/contract/product/alarm-codes.ts'
import { Alert, Button, Drawer } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { StatusTag, Tag } from '../../../kit/display/StatusTag.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useUser } from '../../../kit/api/user.ts'
import { isPlatform } from '../_shared/platform.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import '../_shared/product.css'

const RuleDialog = lazyPart(async () => (await import('./alarm-center.rule-dialog.tsx')).RuleDialog)

/** The alarm rules and their actions. Platform users edit the defaults, or the rules of one organisation. */
export function RulesDrawer({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const platform = isPlatform(user)
  const [chosen, setChosen] = useState<string>()
  const [editing, setEditing, close] = useOpen<AlarmRule>()
  const organiseId = platform ? chosen : user?.organiseId
  const whose = organiseId === undefined ? {} : { organiseId }
  const rules = useDetail(alarmCenter.rules, { query: whose })
  const reset = useConfirmedSubmit(alarmCenter.resetRule, { refresh: [alarmCenter.rules] })
  const askReset = ({ kind }: AlarmRule) =>
    reset(
      {
        title: `确定要将「${alarmKind.show(kind).label}」恢复为平台默认规则吗？`,
        content: '本机构的设置将被清除',
        okText: '恢复默认',
      },
      { body: { ...whose, kind } },
    )
  return (
    <Drawer open title="告警规则" size={780} onClose={onClose}>
      {platform && (
        <div className="rule-owner">
          <OwnerSelect
            level="organise"
            placeholder="平台默认规则"
            value={chosen}
            onChange={setChosen}
            className="rule-owner-select"
          />
          {chosen === undefined && <Alert type="info" title="修改默认规则会影响所有未单独设置的机构" />}
        </div>
      )}
      <States query={rules} rows={10}>
        {(rows) => (
          <ul className="rule-list">
            {rows.map((rule) => (
              <RuleLine
                key={rule.kind}
                rule={rule}
                onEdit={() => setEditing(rule)}
                {...(rule.own && { onReset: () => askReset(rule) })}
              />
            ))}
          </ul>
        )}
      </States>
      {editing && <RuleDialog rule={editing} whose={whose} onClose={close} />}
    </Drawer>
  )
}

type LineProps = { rule: AlarmRule; onEdit: () => void; onReset?: () => void }
const RuleLine = ({ rule, onEdit, onReset }: LineProps) => (
  <li className="rule">
    <div>
      <strong>{alarmKind.show(rule.kind).label}</strong>{' '}
      {rule.enabled ? <StatusTag of={alarmSeverity} value={rule.severity} /> : <Tag tone="off">未启用</Tag>}{' '}
      {rule.own && <Tag tone="link">本机构设置</Tag>}
      <p className="meta">{ruleText(rule)}</p>
    </div>
    <Can route={alarmCenter.saveRule}>
      <div className="rule-buttons">
        {onReset && <Button onClick={onReset}>恢复默认</Button>}
        <Button onClick={onEdit}>编辑</Button>
      </div>
    </Can>
  </li>
)

const typeNames = (types: readonly (1 | 2 | 3 | 4)[]) => types.map((type) => userType.show(type).label).join('、')

/** A rule as a sentence. */
function ruleText(rule: AlarmRule): string {
  const name = kindName(rule.kind)
  const [threshold, minutes] = [ruleThreshold[name], ruleMinutes[name]]
  return [
    ...(threshold && rule.threshold !== null ? [`${threshold.label} ${rule.threshold} ${threshold.unit}`] : []),
    ...(minutes && rule.minutes !== null ? [`${minutes.label} ${rule.minutes} ${minutes.unit}`] : []),
    proofOf(rule.kind) === 'person' ? '须人工关闭' : `恢复后保持 ${rule.holdDownMin} 分钟自动关闭`,
    ...(rule.recovers ? ['自动尝试恢复'] : []),
    ...(rule.opensTicket ? ['自动创建工单'] : []),
    ...(rule.notifyTypes.length > 0 ? [`站内通知${typeNames(rule.notifyTypes)}`] : []),
    ...(rule.smsTypes.length > 0 ? [`短信通知${typeNames(rule.smsTypes)}`] : []),
  ].join('，')
}
