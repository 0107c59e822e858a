import { Button } from 'antd'
import { useEffect, useState } from 'react'

const waitSeconds = 60

/** Requests a code and then counts down; `send` resolves to whether the code was sent. */
export function SmsCodeButton({ send, pending = false }: { send: () => Promise<boolean>; pending?: boolean }) {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const timer = left > 0 ? setTimeout(() => setLeft(left - 1), 1000) : undefined
    return () => clearTimeout(timer)
  }, [left])
  async function ask() {
    if (await send()) setLeft(waitSeconds)
  }
  return (
    <Button className="sms-button" disabled={left > 0} loading={pending} onClick={() => void ask()}>
      {left > 0 ? `${left} 秒后重新获取` : '获取验证码'}
    </Button>
  )
}
