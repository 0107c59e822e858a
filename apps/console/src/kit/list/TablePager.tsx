import { pageSizes } from '@wattdeck/domain/limits.ts'
import { jumperTexts, totalText } from '@wattdeck/domain/text.ts'
import { App, Input, Pagination } from 'antd'
import { isDeep, jumpProblem, lastPage, type Paging } from './known-pages.ts'
import { lazyPart } from '../routing/lazy-part.tsx'

const DeepPager = lazyPart(async () => (await import('./DeepPager.tsx')).DeepPager)

/** Spec §9: sizes, '共 N 条', jumper. Beyond the count bound the DeepPager replaces it. */
export function TablePager({ paging, narrow }: { paging: Paging; narrow: boolean }) {
  const { message } = App.useApp()
  const { total, bounded, pageNum, pageSize, known, onChange } = paging

  function go(page: number) {
    const problem = jumpProblem(known, paging, page)
    if (problem === undefined) onChange({ pageNum: page, pageSize })
    else void message.warning(problem)
  }
  const jumper = !narrow && (
    <label className="page-jumper">
      {jumperTexts.before}
      <Input inputMode="numeric" maxLength={9} onPressEnter={(event) => go(Number(event.currentTarget.value))} />
      {jumperTexts.after}
    </label>
  )
  if (isDeep(paging, pageNum)) return <DeepPager paging={paging} narrow={narrow} onGo={go} jumper={jumper} />
  return (
    <>
      <Pagination
        size={narrow ? 'small' : 'medium'}
        simple={narrow}
        current={pageNum}
        pageSize={pageSize}
        total={bounded ? lastPage(known, paging) * pageSize : total}
        showTotal={() => totalText(total, bounded ? 'to-bound' : 'exactly')}
        showSizeChanger={!narrow}
        pageSizeOptions={[...pageSizes]}
        onChange={(page, size) => (size === pageSize ? go(page) : onChange({ pageNum: 1, pageSize: size }))}
      />
      {jumper}
    </>
  )
}
