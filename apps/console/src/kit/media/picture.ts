import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'

export const pictureTypes = ['image/jpeg', 'image/png']

/** What is wrong with a picture that somebody chose; undefined when it may be sent. The server looks at its bytes again. */
export function pictureProblem({ type, size }: { type: string; size: number }): string | undefined {
  if (!pictureTypes.includes(type)) return '仅支持 JPG、PNG 格式'
  return size > pictureMaxBytes ? '图片大小不能超过800KB' : undefined
}
