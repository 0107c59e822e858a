import { menus } from '@wattdeck/contract/menu-keys.ts'
import { Tabs } from 'antd'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import './personal.css'

const tabs = [menus.basicInfo, menus.changePassword, menus.bindPhone].map(({ route, title }) => ({
  key: route,
  label: title,
}))

/** The personal centre: one page whose tabs have their own paths, so links and the menu can open each. */
export function PersonalFrame({ title, children }: { title: string; children: ReactNode }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <PageFrame title={title}>
      <Tabs activeKey={pathname} items={tabs} onChange={(path) => void navigate(path)} />
      {children}
    </PageFrame>
  )
}
