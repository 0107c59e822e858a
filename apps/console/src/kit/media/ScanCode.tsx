import { PictureOutlined } from '@ant-design/icons'
import { Alert, Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { loadDecoder } from './decode-code.ts'
import { type CameraState, useCamera } from './use-camera.ts'
import './scan-code.css'

const troubles: Partial<Record<CameraState, { title: string; description: string }>> = {
  refused: {
    title: '未获得摄像头权限',
    description: '请在浏览器的网站设置中允许使用摄像头后重试，或选择照片、输入编号。',
  },
  missing: {
    title: '摄像头不可用',
    description: '设备没有摄像头，或页面不是通过 https 打开。可以选择照片或输入编号。',
  },
}

type Props = {
  /** What to point the camera at. */
  hint: string
  /** Label of the number that can be typed instead. */
  numberLabel: string
  pending: boolean
  /** The previous code, which may still be in sight. */
  except?: string | undefined
  /** `typed`: the user has entered the text, not the camera. */
  onScan: (text: string, typed: boolean) => void
}

/** Reads a code with the camera, from a photo, or as typed text. Continues until it unmounts. */
export function ScanCode({ hint, numberLabel, pending, except, onScan }: Props) {
  const { video, state } = useCamera((text) => onScan(text, false), except)
  const trouble = troubles[state]
  return (
    <div className="scan-code">
      {trouble ? (
        <Alert type="warning" showIcon {...trouble} />
      ) : (
        <div className="scan-view">
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a view of the camera has no sound */}
          <video ref={video} muted playsInline aria-label="摄像头画面" />
          <span className="scan-frame" aria-hidden />
          <output className="scan-hint">{state === 'running' ? hint : '正在打开摄像头…'}</output>
        </div>
      )}
      <PhotoButton onScan={onScan} />
      <NumberField label={numberLabel} pending={pending} onScan={onScan} />
    </div>
  )
}

/** For phones whose camera the page may not use: the camera app takes the picture. */
function PhotoButton({ onScan }: Pick<Props, 'onScan'>) {
  const input = useRef<HTMLInputElement>(null)
  const [failed, setFailed] = useState(false)

  async function read(file: File) {
    setFailed(false)
    try {
      const picture = await createImageBitmap(file)
      const decode = await loadDecoder()
      const text = decode(picture, picture.width, picture.height)
      picture.close()
      if (text === undefined) setFailed(true)
      else onScan(text, false)
    } catch {
      // This browser cannot read the picture.
      setFailed(true)
    }
  }
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="选择二维码照片"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void read(file)
        }}
      />
      <Button block size="large" icon={<PictureOutlined />} onClick={() => input.current?.click()}>
        选择照片
      </Button>
      <output className="scan-failure">{failed && '照片中没有识别到二维码，请靠近拍摄并保持清晰'}</output>
    </div>
  )
}

function NumberField({ label, pending, onScan }: { label: string } & Pick<Props, 'pending' | 'onScan'>) {
  return (
    <Input.Search
      size="large"
      aria-label={label}
      placeholder={label}
      enterButton="确定"
      autoComplete="off"
      loading={pending}
      onSearch={(value) => {
        const text = value.trim()
        if (text !== '') onScan(text, true)
      }}
    />
  )
}
