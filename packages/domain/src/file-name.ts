const maxLength = 100
const maxExtension = 10
// Names that Windows keeps for devices, whatever stands behind the dot.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * A name that somebody sent with a file, made fit to be shown and to be saved under: no folders, no control or direction
 * marks, nothing a file system refuses, at most 100 characters with its extension kept. Never used to find the file.
 */
export function cleanFileName(sent: string, fallback: string): string {
  const visible = sent
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
  const kept = letters.slice(0, maxLength - extension.length).join('')
  return kept.replace(/[. ]+$/, '') + extension.join('')
}

/** 'a.png' with 'webp' is 'a.webp'. */
export const withExtension = (name: string, extension: string) => `${name.replace(/\.[a-z\d]{1,9}$/i, '')}.${extension}`
