import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'

export const pictureTypes = ['image/jpeg', 'image/png']

/** Why a selected picture cannot be sent; undefined if it can. The server validates the bytes again. */
export function pictureProblem({ type, size }: { type: string; size: number }): string | undefined {
  if (!pictureTypes.includes(type)) return '仅支持 JPG、PNG 格式'
  return size > pictureMaxBytes ? '图片大小不能超过800KB' : undefined
}
