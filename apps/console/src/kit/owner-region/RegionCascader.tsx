import { Cascader } from 'antd'
import { pathNames, type RegionOption } from './region-options.ts'
import { useRegionTree } from './use-region-tree.ts'

type Props = {
  label: string
  value?: readonly string[] | undefined
  onChange?: (path: string[] | undefined) => void
  /** For filters: a province or a city alone may be selected. */
  anyLevel?: boolean
  id?: string
  className?: string
  onBlur?: () => void
}

const none: readonly string[] = []

/** Province, city and district in one control. Each level loads when it is opened; the search covers loaded levels. */
export function RegionCascader({ label, value = none, onChange, anyLevel = false, ...control }: Props) {
  const { options, open } = useRegionTree(value)
  const matches = (typed: string, path: readonly RegionOption[]) =>
    (anyLevel || path.at(-1)?.isLeaf === true) && path.some((option) => option.label.includes(typed.trim()))
  return (
    <Cascader
      {...control}
      aria-label={label}
      classNames={{ popup: { root: 'region-popup' } }}
      placeholder={anyLevel ? label : `请选择${label}`}
      allowClear
      changeOnSelect={anyLevel}
      showSearch={{ filter: matches }}
      options={options}
      loadData={(path) => open(path.at(-1)?.value ?? '')}
      value={[...value]}
      // While the names load the codes are shown; antd would show only the last one.
      displayRender={() => pathNames(options, value).join(' / ')}
      onChange={(path) => onChange?.(path?.map(String))}
      notFoundContent="没有已加载的匹配项，请逐级展开"
    />
  )
}
