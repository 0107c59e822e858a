import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'
import { pictureTypes } from './picture.ts'

const longestSide = 1600

/**
 * A photograph of a phone has several megabytes, more than is taken: it is made smaller here, before it is sent. What is
 * small enough, or cannot be read as a picture, is left as it is and judged as always.
 */
export async function shrunk(picture: File): Promise<File> {
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
