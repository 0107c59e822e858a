import { organise } from '@wattdeck/contract/system/organise.ts'
import { Button } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { PrivilegeChooser } from '../privilege/privilege-chooser.tsx'

/** Arrays instead of sets, because a form must be able to serialise its values. */
export type PrivilegeValue = { menus: string[]; resources: string[]; unmask: boolean }
type Props = { value?: PrivilegeValue; onChange?: (value: PrivilegeValue) => void }

const none: PrivilegeValue = { menus: [], resources: [], unmask: false }

/** The rights of a new organisation, limited to those of the caller. */
export function OrganisePrivilege({ value = none, onChange }: Props) {
  const offer = useDetail(organise.privilege)
  return (
    <div className="wide-field">
      <States query={offer} rows={5}>
        {(data) => (
          <>
            <Button
              disabled={data.grantedMenuIds.length === 0}
              onClick={() => onChange?.({ ...value, menus: data.grantedMenuIds, resources: data.grantedResourceIds })}
            >
              使用公众号管理模板
            </Button>
            <PrivilegeChooser
              offer={data}
              choice={{ menus: new Set(value.menus), resources: new Set(value.resources), unmask: value.unmask }}
              onChange={({ menus, resources, unmask }) =>
                onChange?.({ menus: [...menus], resources: [...resources], unmask })
              }
            />
          </>
        )}
      </States>
    </div>
  )
}
