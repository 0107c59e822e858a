import { useEffect, useRef, useState } from 'react'
import { type Decode, loadDecoder } from './decode-code.ts'

/** refused: the user denied access. missing: there is no camera, or the page was not opened over https. */
export type CameraState = 'starting' | 'running' | 'refused' | 'missing'

const everyMs = 150
/** A code that was out of sight for this long may be reported again. */
const forgetMs = 1500

const stateOf = (error: unknown): CameraState =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'SecurityError')
    ? 'refused'
    : 'missing'

async function openCamera(): Promise<MediaStream> {
  // Undefined on an insecure page, in spite of its type.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (devices === undefined) throw new Error('no camera')
  return devices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } }, audio: false })
}

/**
 * The rear camera of a phone. Reports each code that comes into sight once, and never the excepted one. It stops when the
 * component unmounts.
 */
export function useCamera(onText: (text: string) => void, except?: string) {
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef({ onText, except })
  const [state, setState] = useState<CameraState>('starting')
  useEffect(() => {
    latest.current = { onText, except }
  })
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let over = false
    let last = { text: '', seenMs: 0 }
    const look = (decode: Decode, player: HTMLVideoElement) => {
      const text = decode(player, player.videoWidth, player.videoHeight)
      if (text === undefined || text === latest.current.except) return
      const isRepeat = text === last.text && Date.now() - last.seenMs < forgetMs
      last = { text, seenMs: Date.now() }
      if (isRepeat || over) return
      navigator.vibrate?.(60)
      latest.current.onText(text)
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
