import { deviceCategory } from '@wattdeck/contract/product/device-category.ts'
import { onlineStatus } from '@wattdeck/contract/product/device-codes.ts'
import { Button, Select } from 'antd'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { treePath } from '../wallboard/region.ts'
import type { WallboardView } from '../wallboard/view.ts'

const RegionCascader = lazyPart(() =>
  import('../../../kit/owner-region/RegionCascader.tsx').then((part) => part.RegionCascader),
)

/** Filters apply at once, without the button 查询. */
export function CockpitFilters({ view }: { view: WallboardView }) {
  const user = useUser()
  const classes = useDetail(deviceCategory.bigList)
  const { choice, adcode, set } = view
  const { organiseId, deviceFirstClass, isOnline } = choice
  const isNarrowed = adcode !== '' || Object.keys(choice).length > 0
  return (
    <search className="cockpit-filters" aria-label="筛选">
      {maySelect(user, 'organise') && (
        <OwnerSelect level="organise" value={organiseId} onChange={(id) => set({ organiseId: id })} />
      )}
      <Select
        aria-label="设备大类"
        placeholder="设备大类"
        allowClear
        value={deviceFirstClass ?? null}
        options={(classes.data ?? []).map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(code?: string | null) => set({ deviceFirstClass: code ?? undefined })}
      />
      <RegionCascader
        label="区域"
        anyLevel
        value={treePath(adcode)}
        onChange={(codes) => set({ adcode: codes?.at(-1), site: undefined })}
      />
      <Select
        aria-label="在线状态"
        placeholder="在线状态"
        allowClear
        value={isOnline ?? null}
        options={onlineStatus.options}
        onChange={(code?: 0 | 1 | null) =>
          set({ isOnline: code === undefined || code === null ? undefined : String(code) })
        }
      />
      {isNarrowed && (
        <Button
          type="text"
          onClick={() =>
            set({
              organiseId: undefined,
              deviceFirstClass: undefined,
              isOnline: undefined,
              adcode: undefined,
              site: undefined,
            })
          }
        >
          重置
        </Button>
      )}
    </search>
  )
}
