import { PictureOutlined, ReloadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { BlobImage } from './BlobImage.tsx'
import { errorText } from '../api/error-handling.ts'
import './file-picture.css'
import { lazyPart } from '../routing/lazy-part.tsx'
import { useStoredPicture } from './stored-picture.ts'

const PictureView = lazyPart(async () => (await import('./PictureView.tsx')).PictureView)

type Props = {
  /** Of the stored file. */
  id: string
  /** Describes the picture for screen readers, and is the heading of the large view. */
  alt: string
  /** Side length in pixels. */
  size?: 32 | 48 | 96 | 160
}

/** A stored picture as a small square; a click shows it large. */
export function FilePicture({ id, alt, size = 48 }: Props) {
  const { data, error, refetch } = useStoredPicture(id)
  const [large, setLarge] = useState(false)
  const box = { width: size, height: size }
  if (error) {
    return (
      <button
        type="button"
        className="file-picture"
        style={box}
        title={errorText(error)}
        aria-label={`${alt}加载失败，重新加载`}
        onClick={() => void refetch()}
      >
        <ReloadOutlined />
      </button>
    )
  }
  if (data === undefined) {
    return (
      <output className="file-picture" style={box} aria-label={`${alt}加载中`}>
        <PictureOutlined />
      </output>
    )
  }
  return (
    <>
      <button
        type="button"
        className="file-picture"
        style={box}
        aria-label={`查看${alt}`}
        onClick={() => setLarge(true)}
      >
        <BlobImage blob={data} alt={alt} />
      </button>
      {large && <PictureView blob={data} alt={alt} onClose={() => setLarge(false)} />}
    </>
  )
}
