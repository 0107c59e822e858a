import { DeleteOutlined, LoadingOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { file } from '@wattdeck/contract/auth/file.ts'
import { Button } from 'antd'
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import './file-picture.css'
import { FilePicture } from './FilePicture.tsx'
import { pictureProblem, pictureTypes } from './picture.ts'
import { shrinkPicture } from './shrink-picture.ts'
import { rememberPicture } from './stored-picture.ts'
import { useSubmit } from '../form/use-submit.ts'

type Props = {
  /** From the form, like value and onChange. */
  id?: string
  value?: string | null
  onChange?: (fileId: string | undefined) => void
  disabled?: boolean
  /** What the picture shows. */
  alt?: string
}

/** Selects, drops, replaces and removes one picture. */
export function PictureUpload({ id, value, onChange, disabled = false, alt = '图片' }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef<Blob>(undefined)
  const [problem, setProblem] = useState<string>()
  const upload = useSubmit(file.uploadPicture, {
    feedback: 'quiet',
    onDone: ({ id: fileId }) => {
      if (sent.current) rememberPicture(fileId, sent.current)
      onChange?.(fileId)
    },
  })
  const choose = () => input.current?.click()

  async function take(chosen: File | undefined) {
    if (!chosen || disabled) return
    const picture = await shrinkPicture(chosen)
    const found = pictureProblem(picture)
    setProblem(found)
    if (found) return
    sent.current = picture
    await upload.run({ file: picture })
  }
  function onInput(event: ChangeEvent<HTMLInputElement>) {
    void take(event.target.files?.[0])
    // Otherwise selecting the same file again would not fire a change event.
    event.target.value = ''
  }
  function onDrop(event: DragEvent) {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }

  const complaints = problem === undefined ? upload.texts : [problem]
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is optional; the buttons do the same
    <div className="picture-field" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      {value ? (
        <FilePicture id={value} alt={alt} size={96} />
      ) : (
        <button type="button" id={id} className="picture-drop" disabled={disabled || upload.pending} onClick={choose}>
          {upload.pending ? <LoadingOutlined /> : <PlusOutlined />}
          <span>{upload.pending ? '上传中' : '上传图片'}</span>
        </button>
      )}
      <div className="picture-side">
        {value && !disabled && (
          <div className="picture-actions">
            <Button id={id} size="small" icon={<UploadOutlined />} loading={upload.pending} onClick={choose}>
              更换
            </Button>
            <Button
              size="small"
              icon={<DeleteOutlined />}
              disabled={upload.pending}
              onClick={() => onChange?.(undefined)}
            >
              移除
            </Button>
          </div>
        )}
        <p className="meta">JPG 或 PNG，不超过 800KB</p>
        {complaints.length > 0 && (
          <p className="picture-problem" role="alert">
            {complaints.join('；')}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        // antd's form styles show a file input with the hidden attribute.
        style={{ display: 'none' }}
        aria-label={`${alt}文件`}
        accept={pictureTypes.join(',')}
        onChange={onInput}
      />
    </div>
  )
}
