import { SaveOutlined, TeamOutlined } from '@ant-design/icons'
import { viewProblem } from '@wattdeck/contract/kit/view-problem.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { savedView, type SavedView } from '@wattdeck/contract/auth/saved-view.ts'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import type { Count } from '../known-pages.ts'
import { lazyPart } from '../../routing/lazy-part.tsx'
import type { ListState } from '../list-state.ts'
import { MenuButton } from '../../display/MenuButton.tsx'
import { useDetail } from '../../api/queries.ts'
import { ReasonButton } from '../../form/ReasonButton.tsx'
import { useSubmit } from '../../form/use-submit.ts'
import type { Preset } from './presets.ts'
import { isBare, storeHint, readHint } from './view-hint.ts'
import { splitViews, viewNow } from './view-model.ts'
import { ViewCount } from './ViewCount.tsx'
import { ViewMenu } from './ViewMenu.tsx'
import './views.css'

const ViewDialog = lazyPart(async () => (await import('./ViewDialog.tsx')).ViewDialog)

type Props = {
  route: AnyRoute
  params: object | undefined
  state: ListState<AnyRoute>
  presets?: readonly Preset[] | undefined
  /** The number of rows of the current filter. */
  count: Count | undefined
}

const none: readonly Preset[] = []

/** The saved views of a list as tabs, and the button that saves the current filters. */
export function ViewTabs({ route, params, state, presets = none, count }: Props) {
  const { data } = useDetail(savedView.list, { query: { listKey: route.path } })
  const [lastId, setLastId] = useState<string>()
  const [dialog, setDialog] = useState<{ of?: SavedView }>()
  const update = useSubmit(savedView.edit, { refresh: [savedView.list] })
  const { text } = state
  const views = data?.views ?? []
  const { active, changed } = viewNow(views, text, lastId)
  const { shown, rest } = splitViews(views, active?.id)
  const [settled, setSettled] = useState(0)
  const opens = presets.some((preset) => preset.opens)
  const preset = active ? undefined : presets.find((one) => one.text === text)
  useDefaultView(route, state, data?.views)

  function show(view: SavedView | undefined) {
    setLastId(view?.id)
    if (view) state.show(view.query)
    // Without a default view, no filter means all rows anyway. The views just read are newer than the hint.
    else if (!opens && readHint(route) === null && !views.some(({ isDefault }) => isDefault)) state.reset()
    else state.show('')
  }
  // The counts load one after the other, once the list itself has loaded, because the rows have priority.
  const badge = (query: string, place: number) => (
    <ViewCount
      route={route}
      params={params}
      text={query}
      known={query === text ? count : undefined}
      ready={count !== undefined && place <= settled}
      onSettled={() => setSettled((now) => Math.max(now, place + 1))}
    />
  )
  return (
    <>
      <nav className="view-tabs" aria-label="列表视图">
        <div className="view-track">
          <button type="button" aria-current={text === '' ? 'true' : undefined} onClick={() => show(undefined)}>
            全部 {badge('', 0)}
          </button>
          {presets.map((one) => (
            <button
              key={one.name}
              type="button"
              aria-current={one === preset ? 'true' : undefined}
              onClick={() => state.show(one.text)}
            >
              {one.name}
            </button>
          ))}
          {shown.map((view, place) => (
            <button
              key={view.id}
              type="button"
              aria-current={view === active ? 'true' : undefined}
              title={view.own ? undefined : `由 ${view.maker} 共享`}
              onClick={() => show(view)}
            >
              {view.shared && <TeamOutlined aria-label="共享" />}
              {view.name} {badge(view.query, place + 1)}
            </button>
          ))}
        </div>
        {rest.length > 0 && (
          <MenuButton
            type="text"
            size="small"
            aria-label="更多视图"
            entries={rest.map((view) => ({ label: view.name, onClick: () => show(view) }))}
          >
            更多
          </MenuButton>
        )}
        {active && (
          <ViewMenu view={active} views={views} listKey={route.path} onEdit={() => setDialog({ of: active })} />
        )}
      </nav>
      {changed && (
        <Button
          type="link"
          size="small"
          loading={update.pending}
          onClick={() => void update.run({ body: { id: changed.id, query: text } })}
        >
          更新「{changed.name}」
        </Button>
      )}
      {text !== '' && data && !active && !preset && (
        <ReasonButton
          type="link"
          size="small"
          icon={<SaveOutlined />}
          reason={viewProblem(route.query, text)}
          onClick={() => setDialog({})}
        >
          保存视图
        </ReasonButton>
      )}
      {dialog && (
        <ViewDialog
          {...dialog}
          listKey={route.path}
          query={text}
          mayShare={data?.mayShare ?? false}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

/** Corrects the stored hint of the default view with the server's views. */
function useDefaultView(route: AnyRoute, state: ListState<AnyRoute>, views: readonly SavedView[] | undefined) {
  useEffect(() => {
    if (views === undefined) return
    const defaultQuery = views.find((view) => view.isDefault)?.query
    const hint = readHint(route)
    if (hint === (defaultQuery ?? null)) return
    storeHint(route, defaultQuery)
    if (defaultQuery !== undefined && hint === null && isBare(state)) state.show(defaultQuery, { replace: true })
    // oxlint-disable-next-line react/exhaustive-deps -- when views are read, not whenever a filter changes
  }, [route, views])
}
