import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'
import { pictureTypes } from './picture.ts'

const longestSide = 1600

/**
 * Shrinks a photo of a phone before the upload, because its several megabytes exceed the limit. A file that is small
 * enough, or not a readable picture, is returned unchanged.
 */
export async function shrinkPicture(picture: File): Promise<File> {
  if (picture.size <= pictureMaxBytes || !pictureTypes.includes(picture.type)) return picture
  try {
    const image = await createImageBitmap(picture)
    const scale = Math.min(1, longestSide / Math.max(image.width, image.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(image.width * scale)
    canvas.height = Math.round(image.height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    image.close()
    const small = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.8))
    return small === null ? picture : new File([small], picture.name.replace(/\.\w+$/, '.jpg'), { type: small.type })
  } catch {
    return picture
  }
}
