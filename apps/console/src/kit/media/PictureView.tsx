import { Modal } from 'antd'
import { BlobImage } from './BlobImage.tsx'

/** A picture as large as the window allows. */
export function PictureView({ blob, alt, onClose }: { blob: Blob; alt: string; onClose: () => void }) {
  return (
    <Modal open centered title={alt} footer={null} width="fit-content" className="picture-view" onCancel={onClose}>
      <BlobImage blob={blob} alt={alt} />
    </Modal>
  )
}
