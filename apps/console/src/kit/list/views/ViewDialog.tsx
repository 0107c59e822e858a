import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { savedView, type SavedView } from '@wattdeck/contract/auth/saved-view.ts'
import { Input, Switch } from 'antd'
import { Field } from '../../form/Field.tsx'
import { FormDialog } from '../../form/FormDialog.tsx'

type Props = { of?: SavedView; listKey: string; query: string; mayShare: boolean; onClose: () => void }
const refresh = [savedView.list]

/** Saves the current filters under a name, or edits the name and sharing of a saved view. */
export function ViewDialog({ of, listKey, query, mayShare, onClose }: Props) {
  const common = { size: 680 as const, refresh, onClose }
  const fields = (
    <>
      <Field name="name" label="视图名称" required>
        <Input maxLength={20} showCount autoComplete="off" />
      </Field>
      <Field
        name="shared"
        label="共享给同事"
        choose
        valuePropName="checked"
        help={mayShare ? '与您同属一个机构、代理商或站点的同事都可以使用' : '仅机构人员可以向整个机构共享'}
      >
        <Switch disabled={!mayShare} />
      </Field>
      <Field name="isDefault" label="设为默认" choose valuePropName="checked" help="打开列表时直接显示该视图">
        <Switch />
      </Field>
    </>
  )
  if (of)
    return (
      <FormDialog
        {...common}
        title={`编辑视图：${of.name}`}
        route={savedView.edit}
        initial={{ name: of.name, shared: of.shared, isDefault: of.isDefault }}
        toBody={(values) => ({ ...values, id: of.id }) as BodyOf<typeof savedView.edit>}
      >
        {fields}
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="保存视图"
      route={savedView.save}
      initial={{ shared: false, isDefault: false }}
      toBody={(values) => ({ ...values, listKey, query }) as BodyOf<typeof savedView.save>}
    >
      {fields}
    </FormDialog>
  )
}
