import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { useSubmit } from '../form/use-submit.ts'
import { setAppearance } from './appearance.ts'
import type { Appearance } from './brand.ts'

/** Applies at once and is saved with the account, so that it follows the user to other browsers. */
export function useChangeAppearance(): (next: Appearance) => void {
  const save = useSubmit(basicInfo.saveAppearance, { refresh: [basicInfo.read], feedback: 'silent' })
  return (next) => {
    setAppearance(next)
    void save.run({ body: next })
  }
}
