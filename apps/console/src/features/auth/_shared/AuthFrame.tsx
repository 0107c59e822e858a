import type { ReactNode } from 'react'
import { AuthArt } from './AuthArt.tsx'
import './auth.css'
import { Logo } from '../../../kit/display/Logo.tsx'

/** The layout of the login pages: the product on one side, one task on the other. */
export function AuthFrame({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <div className="auth-page">
      <aside className="auth-brand" aria-label="产品介绍">
        <AuthArt />
        <Name />
        <div className="auth-words">
          <h2>
            让每一个充电站点
            <br />
            看得见、管得住、算得清
          </h2>
          <ul>
            <li>设备、订单与资金在同一个控制台</li>
            <li>按机构、代理商、站点分级授权，数据互相隔离</li>
            <li>每一次变更都有记录，可追溯到人</li>
          </ul>
        </div>
        <p className="auth-foot">充电设备运营管理平台</p>
      </aside>
      <main className="auth-side">
        <div className="auth-card">
          <Name />
          <h1>{title}</h1>
          {lead && <p className="auth-lead">{lead}</p>}
          {children}
        </div>
      </main>
    </div>
  )
}

function Name() {
  return (
    <span className="brand">
      <Logo size={32} />
      物联网控制中心
    </span>
  )
}
