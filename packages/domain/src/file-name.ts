const maxLength = 100
const maxExtension = 10
// Names that Windows reserves for devices, with any extension.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Sanitises the name of an uploaded file for display and download: no folders, no control or direction marks, no
 * characters that a file system rejects, at most 100 characters including the extension. Never used to locate the file.
 */
export function cleanFileName(original: string, fallback: string): string {
  const visible = original
    .slice(-1000)
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/[\p{Zs}\p{Zl}\p{Zp}\t\r\n]+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .replaceAll(/["'<>:|?*;%]/g, '_')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  if (visible === '') return fallback
  const name = reserved.test(visible) ? `_${visible}` : visible
  return shortened(Array.from(name))
}

function shortened(letters: string[]): string {
  if (letters.length <= maxLength) return letters.join('')
  const dot = letters.lastIndexOf('.')
  const extension = dot > 0 && letters.length - dot <= maxExtension ? letters.slice(dot) : []
  const stem = letters.slice(0, maxLength - extension.length).join('')
  return stem.replace(/[. ]+$/, '') + extension.join('')
}

/** 'a.png' with 'webp' is 'a.webp'. */
export const withExtension = (name: string, extension: string) => `${name.replace(/\.[a-z\d]{1,9}$/i, '')}.${extension}`
