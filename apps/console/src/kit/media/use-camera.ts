import { useEffect, useRef, useState } from 'react'
import { type Decode, loadDecoder } from './decode-code.ts'

/** refused: the person said no. missing: there is none, or the page was not opened by https. */
export type CameraState = 'starting' | 'running' | 'refused' | 'missing'

const everyMs = 150
/** A code that was out of sight for so long may be told again. */
const forgetMs = 1500

const stateOf = (error: unknown): CameraState =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'SecurityError')
    ? 'refused'
    : 'missing'

async function openCamera(): Promise<MediaStream> {
  // Missing where the page is not secure, whatever the types say.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (devices === undefined) throw new Error('no camera')
  return devices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } }, audio: false })
}

/**
 * The camera at the back of a phone. Tells each code that comes into sight once, and never the one that is excepted. It is
 * switched off with the component.
 */
export function useCamera(onText: (text: string) => void, except?: string) {
  const video = useRef<HTMLVideoElement>(null)
  const heard = useRef({ onText, except })
  const [state, setState] = useState<CameraState>('starting')
  useEffect(() => {
    heard.current = { onText, except }
  })
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let over = false
    let last = { text: '', seenMs: 0 }
    const look = (decode: Decode, player: HTMLVideoElement) => {
      const text = decode(player, player.videoWidth, player.videoHeight)
      if (text === undefined || text === heard.current.except) return
      const known = text === last.text && Date.now() - last.seenMs < forgetMs
      last = { text, seenMs: Date.now() }
      if (known || over) return
      navigator.vibrate?.(60)
      heard.current.onText(text)
    }
    const start = async () => {
      const [decode, opened] = await Promise.all([loadDecoder(), openCamera()])
      stream = opened
      const player = video.current
      if (over || player === null) return stop()
      player.srcObject = stream
      await player.play()
      setState('running')
      timer = setInterval(() => look(decode, player), everyMs)
      return undefined
    }
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch((error: unknown) => {
      if (!over) setState(stateOf(error))
    })
    return () => {
      over = true
      clearInterval(timer)
      stop()
    }
  }, [])
  return { video, state }
}
