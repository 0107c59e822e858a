/** Reads the QR code of a picture; undefined if there is none. */
export type Decode = (picture: CanvasImageSource, width: number, height: number) => string | undefined

/** Larger pictures decode slower, but not more reliably. */
const longestSide = 960

/** Loaded at the first scan, so that other pages do not include it. */
export async function loadDecoder(): Promise<Decode> {
  const { decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return (picture, width, height) => {
    const scale = Math.min(1, longestSide / Math.max(width, height))
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    if (context === null || canvas.width === 0 || canvas.height === 0) return undefined
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height))
    } catch {
      // It throws for every picture without a code, and most have none.
      return undefined
    }
  }
}
