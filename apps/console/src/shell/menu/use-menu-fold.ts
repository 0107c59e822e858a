import { useState } from 'react'

const key = 'menu-folded'

export function useMenuFold() {
  const [folded, setFolded] = useState(() => localStorage.getItem(key) === 'true')
  function keep(next: boolean) {
    setFolded(next)
    localStorage.setItem(key, String(next))
  }
  return [folded, keep] as const
}
