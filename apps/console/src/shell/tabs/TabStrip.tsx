import { CloseOutlined } from '@ant-design/icons'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { homePath } from '../../kit/routing/paths.ts'
import { useTabs } from './use-tabs.ts'

/**
 * The open pages, as links: one stop for the Tab key, arrows between them, Delete or the middle button closes.
 * Not a tablist: pages are navigated to, and close buttons have no place in one.
 */
export function TabStrip() {
  const { tabs, shown, close } = useTabs()
  const list = useRef<HTMLUListElement>(null)
  // Also when the title of an object has loaded, which makes its tab wider.
  useEffect(() => {
    const at = tabs.findIndex(({ key }) => key === shown)
    list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tabs, shown])

  function onKeyDown(event: KeyboardEvent, key: string) {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const at = links.indexOf(event.currentTarget as HTMLElement)
    const targets: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }
    const target = targets[event.key]
    if (target !== undefined) {
      event.preventDefault()
      links.at(target % links.length)?.focus()
    }
    if (event.key === 'Delete') {
      links.at(at - 1)?.focus()
      close(key)
    }
  }

  return (
    <nav className="tab-strip" aria-label="已打开页面">
      <ul ref={list}>
        {tabs.map((tab) => (
          <li key={tab.key} data-on={tab.key === shown} title={tab.title}>
            <Link
              to={tab.address}
              tabIndex={tab.key === shown ? 0 : -1}
              aria-current={tab.key === shown ? 'page' : undefined}
              onKeyDown={(event) => onKeyDown(event, tab.key)}
              onAuxClick={(event) => {
                if (event.button !== 1) return
                event.preventDefault()
                close(tab.key)
              }}
            >
              {tab.title}
            </Link>
            {tab.key !== homePath && (
              <button
                type="button"
                className="icon-button"
                tabIndex={-1}
                aria-label={`关闭${tab.title}`}
                onClick={() => close(tab.key)}
              >
                <CloseOutlined />
              </button>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
