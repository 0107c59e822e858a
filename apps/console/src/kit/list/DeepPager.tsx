import { pageSizes } from '@wattdeck/domain/limits.ts'
import { pageSizeText, totalText } from '@wattdeck/domain/text.ts'
import { Button, Select } from 'antd'
import type { ReactNode } from 'react'
import { canReach, type Paging } from './known-pages.ts'
import { ReasonButton } from '../form/ReasonButton.tsx'

const beside = 2

/** The pager beyond the count bound (keyset pagination): next page, previous page, and nearby known pages. */
export function DeepPager(props: { paging: Paging; narrow: boolean; onGo: (page: number) => void; jumper: ReactNode }) {
  const { paging, narrow, onGo, jumper } = props
  const { total, bounded, pageNum, pageSize, known, onChange } = paging
  const last = Math.max(pageNum, ...known.cursors.keys())
  const numbers = Array.from({ length: 2 * beside + 1 }, (_, place) => pageNum - beside + place).filter(
    (page) => page === pageNum || (page <= last && canReach(known, page)),
  )
  return (
    <nav className="deep-pager" aria-label="分页">
      <span>{totalText(total, bounded ? 'to-bound' : 'exactly')}</span>
      <Button type="text" onClick={() => onGo(1)}>
        首页
      </Button>
      <ReasonButton
        type="text"
        reason={canReach(known, pageNum - 1) ? undefined : '前面的页码未知，请回到首页'}
        onClick={() => onGo(pageNum - 1)}
      >
        上一页
      </ReasonButton>
      {(narrow ? [pageNum] : numbers).map((page) => (
        <Button
          key={page}
          type={page === pageNum ? 'default' : 'text'}
          aria-label={`第 ${page} 页`}
          aria-current={page === pageNum ? 'page' : undefined}
          onClick={() => page !== pageNum && onGo(page)}
        >
          {page}
        </Button>
      ))}
      <ReasonButton type="text" reason={pageNum < last ? undefined : '已是最后一页'} onClick={() => onGo(pageNum + 1)}>
        下一页
      </ReasonButton>
      {!narrow && (
        <Select
          aria-label="每页条数"
          value={pageSize}
          options={pageSizes.map((size) => ({ value: size, label: pageSizeText(size) }))}
          onChange={(size: number) => onChange({ pageNum: 1, pageSize: size })}
        />
      )}
      {jumper}
    </nav>
  )
}
