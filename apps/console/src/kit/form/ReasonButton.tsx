import { Button, type ButtonProps, Tooltip } from 'antd'
import { useId, useState } from 'react'

type Props = Omit<ButtonProps, 'disabled'> & {
  /** Why the button is disabled; undefined when it is enabled. */
  reason?: string | undefined
}

/**
 * A button that explains why it is disabled. It uses aria-disabled and stays focusable and touchable, because the
 * disabled attribute would hide the reason from keyboard and touch users.
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
