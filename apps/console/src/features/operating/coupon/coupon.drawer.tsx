import { type Coupon, coupon } from '@wattdeck/contract/operating/coupon.ts'
import { couponGrant, type Grant, grantList } from '@wattdeck/contract/operating/coupon-grant.ts'
import { grantStatus } from '@wattdeck/contract/operating/coupon-codes.ts'
import { Button, Drawer, Flex } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { ChartCard } from '../../../kit/charts/ChartCard.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'

const SeriesChart = lazyChart(async () => (await import('../../../kit/charts/SeriesChart.tsx')).SeriesChart)

/** Who got a coupon, who used it, and how it is used from day to day. */
export function CouponDrawer({ row, onClose }: { row: Coupon; onClose: () => void }) {
  const days = useDetail(coupon.days, { query: { id: row.id } })
  return (
    <Drawer open title={`「${row.name}」的领取与使用`} size={dialogWidth.xl} onClose={onClose}>
      <Flex vertical gap={16}>
        <ChartCard
          title="近30天"
          query={days}
          isEmpty={(all) => all.every(({ given, used }) => given === 0 && used === 0)}
          tableOf={(all) => ({
            head: ['日期', '领取', '使用', '优惠金额（元）'],
            rows: all.map(({ day, given, used, off }) => [day, given, used, off]),
          })}
        >
          {(all) => (
            <SeriesChart
              label={`近30天每天领取和使用的张数，共领取 ${all.reduce((sum, { given }) => sum + given, 0)} 张`}
              unit="张"
              names={all.map(({ day }) => day.slice(5))}
              series={[
                { name: '领取', kind: 'line', values: all.map(({ given }) => given) },
                { name: '使用', kind: 'line', values: all.map(({ used }) => used) },
              ]}
            />
          )}
        </ChartCard>
        <Grants couponId={row.id} />
      </Flex>
    </Drawer>
  )
}

function Grants({ couponId }: { couponId: string }) {
  const list = useFieldList(grantList, { listKey: 'coupon-grant', liveKey: 'coupon', columns: { name: false } })
  const state = useLocalListState(couponGrant.list, { couponId })
  const [taking, setTaking, close] = useOpen<{ ids: string[]; done: () => void }>()
  return (
    <>
      <ListPanel
        {...list}
        state={state}
        nameOf={(row) => row.nickname}
        rowActions={(row: Grant) => [
          {
            label: '作废',
            route: couponGrant.takeBack,
            danger: true,
            disabled: row.status === grantStatus.code.unused ? undefined : '只有未使用的可以作废',
            onClick: () => setTaking({ ids: [row.id], done: () => undefined }),
          },
        ]}
        renderBatch={(chosen) => (
          <Can route={couponGrant.takeBack}>
            <Button size="small" danger onClick={() => setTaking({ ids: chosen.ids, done: chosen.clear })}>
              批量作废
            </Button>
          </Can>
        )}
      />
      {taking && (
        <FormDialog
          title={`作废 ${taking.ids.length} 张优惠券`}
          route={couponGrant.takeBack}
          okText="作废"
          danger
          toBody={(values) => ({ ...values, ids: taking.ids }) as BodyOf<typeof couponGrant.takeBack>}
          refresh={[couponGrant.list, coupon.list]}
          onDone={taking.done}
          onClose={close}
        >
          <ConsequenceNote facts={[]} effect="用户不能再使用；已使用和使用中的不受影响" undo="可以重新发放" />
          <TextField name="reason" label="作废原因" maxLength={200} />
        </FormDialog>
      )}
    </>
  )
}
