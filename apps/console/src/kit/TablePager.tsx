import { countBound } from '@wattdeck/contract/kit/page.ts'
import { pageSizes } from '@wattdeck/domain/limits.ts'
import { totalText } from '@wattdeck/domain/text.ts'
import { Pagination } from 'antd'

export type Paging = {
  total: number
  /** The list has more rows than were counted. */
  bounded: boolean
  pageNum: number
  pageSize: number
  onChange: (page: { pageNum: number; pageSize: number }) => void
}

/** Spec §9: sizes, '共 N 条', jumper. Beyond the bound of counting there is nothing to jump to. */
export function TablePager({ paging, narrow }: { paging: Paging; narrow: boolean }) {
  const { total, bounded, pageNum, pageSize, onChange } = paging
  return (
    <Pagination
      className="table-pager"
      size={narrow ? 'small' : 'medium'}
      simple={narrow}
      current={pageNum}
      pageSize={pageSize}
      total={Math.min(total, countBound)}
      showTotal={() => totalText(total, bounded ? 'to-bound' : 'exactly')}
      showSizeChanger={!narrow}
      showQuickJumper={!narrow}
      pageSizeOptions={[...pageSizes]}
      onChange={(page, size) => onChange({ pageNum: size === pageSize ? page : 1, pageSize: size })}
    />
  )
}
