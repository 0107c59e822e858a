import { countBound, pageOfCursor } from '@wattdeck/contract/kit/page.ts'

/** The cursors and the count collected while paging through a list (keyset pagination), for one filter and page size. */
export type KnownPages = {
  /** The filter and page size that the cursors belong to. */
  key: string
  pageSize: number
  /** Start of each page. The first needs no cursor. */
  cursors: ReadonlyMap<number, string>
  count?: Count
  /** The page that was read last. */
  last?: number
}
export type Count = { total: number; bounded: boolean }
export type Paging = Count & {
  pageNum: number
  pageSize: number
  /** Limits how far the user can jump. */
  known: KnownPages
  onChange: (page: { pageNum: number; pageSize: number }) => void
}
type Reply = { total: number | null; bounded: boolean; cursor: string | null }

export const emptyPages = (key: string, pageSize: number): KnownPages => ({ key, pageSize, cursors: new Map() })

/** The last known page that is not after the requested one. */
function startOf({ cursors }: KnownPages, pageNum: number): { page: number; cursor?: string } {
  let page = 1
  for (const candidate of cursors.keys()) if (candidate <= pageNum && candidate > page) page = candidate
  const cursor = cursors.get(page)
  return cursor === undefined ? { page } : { page, cursor }
}

/** The request of a page. Paging needs no second count; reading the same page again does. */
export function pageRequest(known: KnownPages, pageNum: number): { cursor?: string; skipCount?: boolean } {
  const { cursor } = startOf(known, pageNum)
  const turning = known.count !== undefined && known.last !== pageNum
  return { ...(cursor === undefined ? {} : { cursor }), ...(turning ? { skipCount: true } : {}) }
}

/** The state after a page was read. Another cursor than before means that rows have moved, so later ones are dropped. */
export function withPageReply(known: KnownPages, pageNum: number, reply: Reply): KnownPages {
  const { total, bounded, cursor } = reply
  const moved = known.cursors.get(pageNum + 1) !== cursor
  const cursors = new Map([...known.cursors].filter(([page]) => page <= pageNum || !moved))
  if (cursor !== null) cursors.set(pageNum + 1, cursor)
  return { ...known, cursors, last: pageNum, ...(total === null ? {} : { count: { total, bounded } }) }
}

/** Adds the cursor of a link. */
export function withLinkCursor(known: KnownPages, cursor: string | undefined): KnownPages {
  const page = cursor === undefined ? undefined : pageOfCursor(cursor)
  if (page === undefined || cursor === undefined || known.cursors.has(page)) return known
  return { ...known, cursors: new Map([...known.cursors, [page, cursor]]) }
}

const skipsMost = ({ pageSize }: KnownPages) => Math.floor(countBound / pageSize)
export const canReach = (known: KnownPages, pageNum: number) =>
  pageNum >= 1 && pageNum - startOf(known, pageNum).page <= skipsMost(known)

/** Beyond the count bound a page cannot be reached from the first one. */
export const isDeep = ({ pageSize }: { pageSize: number }, pageNum: number) => (pageNum - 1) * pageSize > countBound

const rowsBack = 1000
/**
 * The cursor of a link to a deep page. It points some pages before it, so that the recipient can page back, too.
 */
export function linkCursor(known: KnownPages, pageNum: number): string | undefined {
  if (!isDeep(known, pageNum)) return undefined
  const earliest = pageNum - Math.max(1, Math.floor(rowsBack / known.pageSize))
  const near = [...known.cursors.keys()].filter((page) => page >= earliest && page <= pageNum)
  return near.length > 0 ? known.cursors.get(Math.min(...near)) : startOf(known, pageNum).cursor
}

/** The last page whose number may be offered. */
export function lastPage(known: KnownPages, { total, bounded }: Count): number {
  const counted = Math.max(1, Math.ceil(total / known.pageSize))
  return bounded ? Math.max(counted, ...known.cursors.keys()) : counted
}

/** Why a typed page cannot be reached, or undefined. */
export function jumpProblem(known: KnownPages, count: Count, pageNum: number): string | undefined {
  if (!Number.isSafeInteger(pageNum) || pageNum < 1) return '请输入正确的页码'
  if (!count.bounded) return pageNum > lastPage(known, count) ? `共 ${lastPage(known, count)} 页` : undefined
  if (canReach(known, pageNum)) return undefined
  return `最多可跳至第 ${startOf(known, pageNum).page + skipsMost(known)} 页，请逐页翻看或缩小查询范围`
}
