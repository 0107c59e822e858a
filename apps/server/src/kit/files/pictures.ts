import type { ResizeOptions } from 'sharp'
import { invalid, type Refusal } from '../http/refusal.ts'
import { Semaphore } from '../jobs/semaphore.ts'

export type Picture = { bytes: Buffer; width: number; height: number }

const maxPixels = 40_000_000
const secondsToEncode = 8
/** Decoding is expensive in time and memory. */
const decoding = new Semaphore(2, 30)

/**
 * Re-encodes an uploaded picture as WebP from its pixels, which removes everything else in the file. The format is detected
 * from the bytes, not from the name. Accepts JPG, PNG and WebP without animation, up to 40 million pixels.
 */
export async function readPicture(upload: Buffer, resize: ResizeOptions): Promise<Picture> {
  const format = formatOf(upload)
  if (format === undefined || isAnimatedPng(upload)) throw wrongKind()
  return decoding.take(async () => {
    // A native library, loaded on demand with the first picture.
    const { default: sharp } = await import('sharp')
    const picture = sharp(upload, { limitInputPixels: maxPixels, failOn: 'error' }).timeout({
      seconds: secondsToEncode,
    })
    const about = await picture.metadata().catch((error: unknown) => {
      throw refusalFor(error)
    })
    if (about.format !== format || (about.pages ?? 1) > 1) throw wrongKind()
    const { data, info } = await picture
      .rotate()
      .resize(resize)
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
      .catch((error: unknown) => {
        throw refusalFor(error)
      })
    return { bytes: data, width: info.width, height: info.height }
  })
}

const wrongKind = () => invalid('仅支持 JPG、PNG 格式')

function refusalFor(error: unknown): Refusal {
  const tooMany = error instanceof Error && error.message.includes('pixel limit')
  return invalid(tooMany ? '图片尺寸过大，请缩小后上传' : '图片已损坏，请更换')
}

/** Detects the format by the first bytes, so that no decoder of another format receives the upload. */
function formatOf(bytes: Buffer): 'jpeg' | 'png' | 'webp' | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\xFF\xD8\xFF')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'png'
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : undefined
}

/** The decoder silently reads only the first image of an animated PNG. The acTL chunk before the pixels marks an animation. */
function isAnimatedPng(bytes: Buffer): boolean {
  const announced = bytes.indexOf('acTL')
  return formatOf(bytes) === 'png' && announced !== -1 && announced < bytes.indexOf('IDAT')
}
