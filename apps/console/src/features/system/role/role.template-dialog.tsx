import { userType } from '@wattdeck/contract/common.ts'
import { roleTemplate, type RoleTemplate } from '@wattdeck/contract/system/role-template.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { Checkbox, Form } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import '../_shared/system.css'

type Props = { onClose: () => void }
const clears = ['codes']

/** Predefined roles that the selected owner does not have yet. */
export function RoleTemplateDialog({ onClose }: Props) {
  const user = useUser()
  return (
    <FormDialog
      title="按模板新增角色"
      route={roleTemplate.add}
      refresh={[role.list, roleTemplate.list]}
      initial={{ organiseId: user?.organiseId }}
      size={780}
      okText="新增"
      onClose={onClose}
    >
      <OrganiseField clears={clears} />
      <AgentField clears={clears} />
      <SiteField clears={clears} />
      <Field
        name="codes"
        label="角色模板"
        choose
        wide
        help="只授予您和该机构都拥有的权限，新增后可以在「权限配置」中修改"
      >
        <TemplateChoice />
      </Field>
    </FormDialog>
  )
}

type ChoiceProps = { value?: string[]; onChange?: (codes: string[]) => void }

const none: string[] = []

function TemplateChoice({ value = none, onChange }: ChoiceProps) {
  const organiseId = Form.useWatch<string | undefined>('organiseId', { preserve: true })
  const agentId = Form.useWatch<string | undefined>('agentId')
  const siteId = Form.useWatch<string | undefined>('siteId')
  const read = useDetail(roleTemplate.list, { query: { organiseId, agentId, siteId } })
  return (
    <States query={read} rows={6}>
      {(templates) => (
        <Checkbox.Group className="template-choice" value={value} onChange={(codes) => onChange?.(codes)}>
          {templates.toSorted(byProblem).map((template) => (
            <TemplateLine key={template.code} of={template} />
          ))}
        </Checkbox.Group>
      )}
    </States>
  )
}

/** Selectable roles come first. */
const byProblem = (one: RoleTemplate, other: RoleTemplate) =>
  Number(one.problem !== null) - Number(other.problem !== null)

const most = 12
const pagesText = (pages: readonly string[]) =>
  pages.slice(0, most).join('、') + (pages.length > most ? ` 等 ${pages.length} 个` : '')

function TemplateLine({ of }: { of: RoleTemplate }) {
  const { code, name, note, pages, problem } = of
  return (
    <Checkbox value={code} disabled={problem !== null}>
      <span className="template-name">
        {name}
        <span className="meta">
          {code} · {userType.show(of.userType).label}
        </span>
        {problem !== null && <Tag tone="off">{problem}</Tag>}
      </span>
      <span className="template-note">{note}</span>
      {problem === null && <span className="template-note">菜单：{pagesText(pages)}</span>}
    </Checkbox>
  )
}
