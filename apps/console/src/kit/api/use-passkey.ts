import { useState } from 'react'
import { submitTexts } from './error-handling.ts'
import { passkeyFailureText } from './passkey.ts'

/** Runs a WebAuthn exchange and returns the texts of its failure. */
export function usePasskey() {
  const [pending, setPending] = useState(false)
  const [texts, setTexts] = useState<readonly string[]>([])

  async function run(talk: () => Promise<void>): Promise<void> {
    setPending(true)
    setTexts([])
    try {
      await talk()
    } catch (error) {
      const text = passkeyFailureText(error)
      setTexts(text === undefined ? submitTexts(error) : [text])
    } finally {
      setPending(false)
    }
  }
  return { run, pending, texts }
}
