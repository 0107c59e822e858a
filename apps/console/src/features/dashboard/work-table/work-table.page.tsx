import { ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { notification } from '@wattdeck/contract/auth/notification.ts'
import { Button, Tooltip } from 'antd'
import { type ComponentType, useEffect, useState } from 'react'
import { chosenColumns } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { homePath } from '../../../kit/routing/paths.ts'
import { refetchRoutes, useDetail } from '../../../kit/api/queries.ts'
import { grantedKeys } from '../../../kit/api/rights.ts'
import { useColumnChoice } from '../../../kit/list/table-preferences.ts'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import type { CardProps } from './card-props.ts'
import { CardBoundary } from './CardBoundary.tsx'
import { type Card, cards, figuresOf, seenBy } from './cards.ts'
import '../_shared/dashboard.css'
import { hasPeriod } from '../../../kit/display/figure-text.ts'
import { FigureCard } from './FigureCard.tsx'
import { dayText, greetingAt } from './greeting-at.ts'
import { followTable } from '../analysis/live-table.ts'
import { LoginsCard, NoticesCard, ShortcutsCard } from './OwnCards.tsx'
import { PlugsCard } from './PlugsCard.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import { shortcutsOf } from './shortcuts.ts'
import { ToDoCard } from './ToDoCard.tsx'
import { TrendCard } from './TrendCard.tsx'
import { TypesCard } from './TypesCard.tsx'
import { WorkTableFilter } from './WorkTableFilter.tsx'

const ArrangeDrawer = lazyPart(async () => (await import('./work-table.arrange-drawer.tsx')).ArrangeDrawer)

const bodies: Record<Card['key'], ComponentType<CardProps>> = {
  trend: TrendCard,
  plugs: PlugsCard,
  toDo: ToDoCard,
  types: TypesCard,
  notices: NoticesCard,
  shortcuts: ShortcutsCard,
  logins: LoginsCard,
}
const everything = [...Object.values(workTable), notification.list]

export default function WorkTablePage() {
  const user = useUser()
  const narrow = useNarrow()
  const state = useListState(workTable.trend)
  const head = useDetail(workTable.read)
  const [openedAt] = useState(() => Date.now())
  const [busy, setBusy] = useState(false)
  const [arranging, setArranging] = useState(false)
  const [figureChoice, keepFigures] = useColumnChoice('work-table-figures')
  const [cardChoice, keepCards] = useColumnChoice('work-table-cards')
  const [shortcutChoice, keepShortcuts] = useColumnChoice('work-table-shortcuts')
  useReturnFocus(arranging)
  useEffect(() => followTable((routes) => void refetchRoutes(routes)), [])
  if (!user) return null

  const refresh = () => {
    setBusy(true)
    void refetchRoutes(everything).finally(() => setBusy(false))
  }
  const granted = grantedKeys(user.menuTree)
  const mine = { figures: figuresOf(granted), cards: seenBy(cards, granted) }
  const shownFigures = chosenColumns(mine.figures, figureChoice)
  const allShortcuts = shortcutsOf(user.menuTree, user.roleCodeList, homePath)
  const now = Math.max(openedAt, head.dataUpdatedAt)
  const standing = [head.data?.organiseName ?? user.organiseName, user.departmentFullName, dayText(now)]
  const { query } = state
  const shown = { query, shortcuts: chosenColumns(allShortcuts, shortcutChoice) }
  const chosen = chosenColumns(mine.cards, cardChoice)
  const columns = narrow
    ? [chosen]
    : (['main', 'side'] as const).map((one) => chosen.filter((card) => card.column === one))

  return (
    <PageFrame
      title={`${greetingAt(now)}，${user.userName}`}
      note={standing.filter(Boolean).join(' · ')}
      actions={
        <>
          <WorkTableFilter
            hasPeriod={mine.figures.some(({ key }) => hasPeriod(key))}
            query={query}
            onChange={state.set}
          />
          <Actions busy={busy} onRefresh={refresh} onArrange={() => setArranging(true)} />
        </>
      }
    >
      <div className="figures" data-count={shownFigures.length}>
        {shownFigures.map(({ key }) =>
          key === 'service' ? (
            <ServiceCard
              key={key}
              status={head.data?.basicServiceStatus ?? user.basicServiceStatus}
              expiresOn={user.serviceExpiresOn}
              now={now}
            />
          ) : (
            <FigureCard key={key} name={key} query={query} menus={granted} />
          ),
        )}
      </div>
      <div className="work-table">
        {columns.map((column, place) => (
          <div key={place === 0 ? 'main' : 'side'} className="work-table-column">
            {column.map(({ key, title }) => {
              const Body = bodies[key]
              return (
                <CardBoundary key={key} title={title}>
                  <Body title={title} {...shown} />
                </CardBoundary>
              )
            })}
          </div>
        ))}
      </div>
      {arranging && (
        <ArrangeDrawer
          groups={[
            { title: '指标', columns: mine.figures, choice: figureChoice, onChange: keepFigures },
            { title: '卡片', columns: mine.cards, choice: cardChoice, onChange: keepCards },
            { title: '快捷入口', columns: allShortcuts, choice: shortcutChoice, onChange: keepShortcuts },
          ]}
          onClose={() => setArranging(false)}
        />
      )}
    </PageFrame>
  )
}

type ActionProps = { busy: boolean; onRefresh: () => void; onArrange: () => void }

function Actions({ busy, onRefresh, onArrange }: ActionProps) {
  return (
    <>
      <Tooltip title="刷新">
        <Button icon={<ReloadOutlined spin={busy} />} aria-label="刷新" data-shortcut="r" onClick={onRefresh} />
      </Tooltip>
      <Button icon={<SettingOutlined />} onClick={onArrange}>
        工作台设置
      </Button>
    </>
  )
}
