import { actionKind } from '@wattdeck/contract/common.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { Alert, Checkbox } from 'antd'
import { checkOf } from './menu-choice.ts'
import { type Choice, chooseMenu, chooseResource, type Offer, resourcesOf } from './privilege.ts'

type Props = {
  menus: readonly MenuNode[]
  offer: Offer
  choice: Choice
  onChange: (choice: Choice) => void
}

/** Menus with their actions; the Tab key reaches every checkbox. */
export function PrivilegeTree({ menus, ...rest }: Props) {
  return (
    <ul className="privilege-tree">
      {menus.map((menu) => (
        <li key={menu.id}>
          <MenuLine menu={menu} {...rest} />
          {menu.childMenus.length > 0 && <PrivilegeTree menus={menu.childMenus} {...rest} />}
        </li>
      ))}
    </ul>
  )
}

function MenuLine({ menu, offer, choice, onChange }: Omit<Props, 'menus'> & { menu: MenuNode }) {
  const check = checkOf(menu, choice.menus)
  const resources = resourcesOf(offer, menu)
  const actions = resources.map((resource) => resource.action)
  return (
    <div className="privilege-line">
      <Checkbox
        className="privilege-menu"
        checked={check === 'on'}
        indeterminate={check === 'part'}
        onChange={(event) => onChange(chooseMenu(offer, choice, menu.id, event.target.checked))}
      >
        {menu.title}
      </Checkbox>
      {resources.length > 0 && (
        <fieldset className="privilege-actions">
          <legend className="visually-hidden">{menu.title}的操作</legend>
          {resources.map((resource) => (
            <Checkbox
              key={resource.id}
              checked={choice.resources.has(resource.id)}
              onChange={(event) => onChange(chooseResource(offer, choice, resource, event.target.checked))}
            >
              {/* Two resources of one action are distinguishable only by name. */}
              {actions.indexOf(resource.action) === actions.lastIndexOf(resource.action)
                ? actionKind.show(resource.action).label
                : resource.name}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </div>
  )
}

type Changes = { added: readonly string[]; removed: readonly string[] }

export function ChangeList({ changes, warning }: { changes: Changes; warning: string | undefined }) {
  return (
    <div className="change-list">
      {warning && <Alert type="warning" showIcon title={warning} />}
      <ChangePart title="新增" tone="ok" lines={changes.added} />
      <ChangePart title="移除" tone="bad" lines={changes.removed} />
    </div>
  )
}

function ChangePart({ title, tone, lines }: { title: string; tone: 'ok' | 'bad'; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section className="change-part" data-tone={tone}>
      <h2>
        {title} {lines.length} 项
      </h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
