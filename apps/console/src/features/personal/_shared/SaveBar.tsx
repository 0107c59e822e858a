import { Button } from 'antd'
import { useEffect } from 'react'
import { useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'

type Props = { pending: boolean; onSave: () => void; onDiscard: () => void }
const always = () => true

/** Visible while a form has unsaved changes; Ctrl+S saves. */
export function SaveBar({ pending, onSave, onDiscard }: Props) {
  useDirtyGuard(always)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      onSave()
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [onSave])
  return (
    <div className="save-bar">
      <output>有未保存的修改</output>
      <Button disabled={pending} onClick={onDiscard}>
        放弃修改
      </Button>
      <Button type="primary" htmlType="submit" loading={pending}>
        保存
      </Button>
    </div>
  )
}
