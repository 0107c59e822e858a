import { type ComponentType, useEffect, useState } from 'react'
import { loadStepUp } from '../features/auth/routes.ts'
import { onStepUp } from '../kit/api/step-up.ts'

type DialogProps = { onProven: () => void; onCancel: () => void }
type Asking = { Dialog: ComponentType<DialogProps>; answer: (proven: boolean) => void }

/** Prompts for the second factor when a call requires it again. */
export function StepUpWatch() {
  const [asking, setAsking] = useState<Asking>()
  useEffect(
    () =>
      onStepUp(async () => {
        const Dialog = await loadStepUp()
        const proven = await new Promise<boolean>((answer) => setAsking({ Dialog, answer }))
        setAsking(undefined)
        return proven
      }),
    [],
  )
  return asking && <asking.Dialog onProven={() => asking.answer(true)} onCancel={() => asking.answer(false)} />
}
