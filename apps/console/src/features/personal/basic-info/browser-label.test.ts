import { describe, expect, it } from 'vitest'
import { browserLabel } from './browser-label.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the label of a browser', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141 · Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge 141 · Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox 144 · macOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari 18 · iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/130.0 Mobile Safari/537.36 MicroMessenger/8.0.5`,
      '微信 8 · Android',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chrome 141 · Linux'],
    ['curl/8.5.0', '未知设备'],
    [null, '未知设备'],
  ])('of %s is %s', (userAgent, label) => {
    expect(browserLabel(userAgent)).toBe(label)
  })
})
