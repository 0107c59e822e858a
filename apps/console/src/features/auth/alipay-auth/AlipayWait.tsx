import { Spin } from 'antd'

export function AlipayWait() {
  return (
    <output className="auth-wait">
      <Spin size="large" />
      正在向支付宝确认授权结果，请稍候…
    </output>
  )
}
