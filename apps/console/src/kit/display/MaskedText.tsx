import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import type { PersonalKind } from '@wattdeck/contract/auth/session.ts'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { dash } from './cells.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import { useUser } from '../api/user.ts'

const RevealDialog = lazyPart(async () => (await import('../form/RevealDialog.tsx')).RevealDialog)

type Props = { value: string | null; kind: PersonalKind; id: string; field: string; what: string }
type Shown = { value: string; seconds: number }

/** A masked value. A user with the right gives a reason to unmask it, and sees it for half a minute. */
export function MaskedText({ value, kind, id, field, what }: Props) {
  const user = useUser()
  const [asking, setAsking] = useState(false)
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    if (shown === undefined) return undefined
    const timer = setTimeout(() => setShown(undefined), shown.seconds * 1000)
    return () => clearTimeout(timer)
  }, [shown])
  if (value === null || value === '') return dash
  return (
    <span className="masked-text">
      <span>{shown?.value ?? value}</span>
      {user?.hasDesensitizePermission === true && (
        <Button
          type="text"
          size="small"
          icon={shown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
          aria-label={shown ? `隐藏${what}` : `查看${what}明文`}
          onClick={() => (shown ? setShown(undefined) : setAsking(true))}
        />
      )}
      {asking && (
        <RevealDialog
          of={{ kind, rowId: id, field }}
          what={what}
          onClose={() => setAsking(false)}
          onShown={(clear, seconds) => setShown({ value: clear, seconds })}
        />
      )}
    </span>
  )
}
