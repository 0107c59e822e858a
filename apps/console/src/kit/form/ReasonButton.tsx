import { Button, type ButtonProps, Tooltip } from 'antd'
import { useId, useState } from 'react'

type Props = Omit<ButtonProps, 'disabled'> & {
  /** Why it cannot be pressed now; undefined when it can. */
  reason?: string | undefined
}

/**
 * A button that says why it cannot be pressed. It stays in the order of the Tab key and takes a touch: a disabled one
 * would swallow both, and nobody without a mouse would ever read the reason.
 */
export function ReasonButton({ reason, onClick, ...button }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  if (reason === undefined) return <Button {...button} onClick={onClick} />
  return (
    <>
      <Tooltip title={reason} trigger={['hover', 'focus']} open={open} onOpenChange={setOpen}>
        <Button {...button} htmlType="button" aria-disabled aria-describedby={id} onClick={() => setOpen(true)} />
      </Tooltip>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  )
}
