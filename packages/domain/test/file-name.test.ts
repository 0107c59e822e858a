import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanFileName, withExtension } from '../src/file-name.ts'

describe('a file name', () => {
  it.each<[string, string]>([
    ['站点照片.png', '站点照片.png'],
    ['a b.png', 'a b.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\..\\x.png', 'x.png'],
    ['a\r\nSet-Cookie: b.png', 'a Set-Cookie_ b.png'],
    ['gnp.\u202Eexe', 'gnp.exe'],
    ['a";filename="b.exe', 'a__filename=_b.exe'],
    ['..', '图片'],
    ['', '图片'],
    ['\u200B\u0000', '图片'],
    ['.htaccess', 'htaccess'],
    ['CON.png', '_CON.png'],
    ['\uD800.png', 'png'],
    [`${'长'.repeat(200)}.png`, `${'长'.repeat(96)}.png`],
  ])('%j becomes %j', (sent, cleanName) => {
    expect(cleanFileName(sent, '图片')).toBe(cleanName)
  })

  it('is never empty, too long, a path, or special to a header or a file system', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (sent) => {
        const cleanName = cleanFileName(sent, '文件')
        expect(cleanName).not.toMatch(/[/\\"'<>:|?*;%\p{C}]|^[. ]|[. ]$/u)
        expect(Array.from(cleanName).length).toBeGreaterThan(0)
        expect(Array.from(cleanName).length).toBeLessThanOrEqual(100)
        expect(cleanFileName(cleanName, '文件')).toBe(cleanName)
      }),
    )
  })

  it('gets another extension when the content is converted', () => {
    expect(withExtension('a.b.png', 'webp')).toBe('a.b.webp')
    expect(withExtension('照片', 'webp')).toBe('照片.webp')
  })
})
