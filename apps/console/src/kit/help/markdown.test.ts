import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import { canaryHost, formulaPayloads, hostileUrls, xssPayloads } from '../../../../../e2e/payloads.ts'
import { parseMarkdown } from './markdown.ts'
import { Markdown } from './Markdown.tsx'

const htmlOf = (text: string, top: 2 | 3 | 4 = 3) =>
  renderToStaticMarkup(createElement(MemoryRouter, null, createElement(Markdown, { text, top }))).replace(
    /^<div class="markdown">(.*)<\/div>$/s,
    '$1',
  )

/** The allowed elements, with their allowed attributes. */
const allowed: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'h3 h4 h5 h6 p strong em code pre ul li blockquote table thead tbody tr td hr br'
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  ol: ['start'],
  th: ['scope'],
  a: ['href', 'target', 'rel', 'data-discover'],
  img: ['src', 'alt', 'loading'],
}
const tagPattern = /<\/?([a-z][a-z\d]*)((?:\s+[a-z-]+="[^"<>]*")*)\s*\/?>/g

const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>' }
const unescaped = (value: string) => value.replaceAll(/&(?:amp|quot|#x27|lt|gt);/g, (entity) => entities[entity] ?? '')

const isOwn = (address: string) =>
  /^\/(?![/\\])/.test(address) &&
  !/[\\\p{Cc}]/u.test(address) &&
  new URL(address, 'https://own.example').host === 'own.example'
const isGoodLink = (address: string) =>
  isOwn(address) || (address.startsWith('https://') && new URL(address).username === '')

/** Elements, attributes and addresses that are not allowed. */
function problemsIn(html: string): string[] {
  const problems = /[<>]/.test(html.replaceAll(tagPattern, '')) ? ['a tag that is none'] : []
  for (const [whole, tag = '', attributes = ''] of html.matchAll(tagPattern)) {
    if (!(tag in allowed)) problems.push(whole)
    for (const [pair, name = '', value = ''] of attributes.matchAll(/\s([a-z-]+)="([^"]*)"/g)) {
      if (!allowed[tag]?.includes(name)) problems.push(pair)
      if (name === 'href' && !isGoodLink(unescaped(value))) problems.push(pair)
      if (name === 'src' && !isOwn(unescaped(value))) problems.push(pair)
    }
  }
  return problems
}
const dangersOf = (text: string) => problemsIn(htmlOf(text))

describe('the formatting of a text', () => {
  it.each([
    ['# 一\n### 二\n## 三', '<h3>一</h3><h4>二</h4><h4>三</h4>'],
    ['## 只有二级', '<h3>只有二级</h3>'],
    ['# a\n## b\n### c\n#### d\n##### e', '<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>'],
    ['#不是标题', '<p>#不是标题</p>'],
    ['第一行\n第二行\n\n另一段', '<p>第一行第二行</p><p>另一段</p>'],
    ['one\ntwo', '<p>one\ntwo</p>'],
    ['换行  \n之后', '<p>换行<br/>之后</p>'],
    ['**粗**与*斜*', '<p><strong>粗</strong>与<em>斜</em></p>'],
    ['**粗*斜*粗**', '<p><strong>粗<em>斜</em>粗</strong></p>'],
    ['没有闭合的 **粗体', '<p>没有闭合的 **粗体</p>'],
    ['`a<b` 与 ``a`b``', '<p><code>a&lt;b</code> 与 <code>a`b</code></p>'],
    [String.raw`\*不斜\* \[不链](/x)`, '<p>*不斜* [不链](/x)</p>'],
    ['```js\n<b>\n\n# x\n```\n后', '<pre><code>&lt;b&gt;\n\n# x</code></pre><p>后</p>'],
    ['```\n没有结束', '<pre><code>没有结束</code></pre>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['3) a\n4) b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['- a\n  - b\n    - c\n- d', '<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>'],
    ['1. a\n   - b\n   1. c', '<ol><li>a<ul><li>b</li></ul><ol><li>c</li></ol></li></ol>'],
    ['- a\n\n- b\n\n段', '<ul><li>a</li><li>b</li></ul><p>段</p>'],
    ['- 甲\n  续\n乙', '<ul><li>甲续乙</li></ul>'],
    ['- a\n1. b', '<ul><li>a</li></ul><ol><li>b</li></ol>'],
    ['> 引\n> 文\n\n段', '<blockquote><p>引文</p></blockquote><p>段</p>'],
    ['> # 题\n> - 项', '<blockquote><p><strong>题</strong></p><ul><li>项</li></ul></blockquote>'],
    ['>> 深', '<blockquote><p>&gt; 深</p></blockquote>'],
    ['a\n---\nb', '<p>a</p><hr/><p>b</p>'],
    ['* * *', '<ul><li>* *</li></ul>'],
    [
      '| 代码 | 含义 |\n| --- | :-: |\n| `E1` | 过载 \\| 短路 |\n| E2 |',
      '<table><thead><tr><th scope="col">代码</th><th scope="col">含义</th></tr></thead><tbody><tr><td><code>E1</code></td><td>过载 | 短路</td></tr><tr><td>E2</td><td></td></tr></tbody></table>',
    ],
    ['a | b', '<p>a | b</p>'],
    ['', ''],
  ])('%j', (text, html) => {
    expect(htmlOf(text)).toBe(html)
    expect(problemsIn(html)).toEqual([])
  })

  it('a heading never skips a level', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }), (levels) => {
        const html = htmlOf(levels.map((level) => `${'#'.repeat(level)} x`).join('\n'))
        const shown = [...html.matchAll(/<h(\d)>/g)].map(([, level]) => Number(level))
        expect(shown).toHaveLength(levels.length)
        for (const [place, level] of shown.entries()) expect(level - (shown[place - 1] ?? 2)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('a link', () => {
  it('leads into the console, or to https without an opener', () => {
    expect(htmlOf('[员工](/system/staff?keyword=张#a)')).toMatch(
      /<a href="\/system\/staff\?keyword=%E5%BC%A0#a"[^>]*>员工<\/a>/,
    )
    expect(htmlOf('[外](https://example.com/a?b=1&c=2)')).toBe(
      '<p><a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">外</a></p>',
    )
    expect(htmlOf('[**粗** `码`](/x)')).toMatch(/<a href="\/x"[^>]*><strong>粗<\/strong> <code>码<\/code><\/a>/)
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    '//other.example',
    '/\\other.example',
    '/..//other.example',
    'http://example.com',
    'https:example.com',
    'https://a@b.example',
    'https://a:b@c.example',
    'https:\\\\example.com',
    'mailto:a@example.com',
    'relative',
    '#here',
    '',
  ])('to %j stays text', (address) => {
    expect(htmlOf(`[文字](${address})`)).not.toContain('<a')
    expect(htmlOf(`[文字](${address})`)).toContain('[文字](')
    expect(htmlOf(`![图](${address})`)).not.toContain('<img')
  })
})

describe('a picture', () => {
  it('comes only from our own host', () => {
    expect(htmlOf('![示意图](/help/plug.png)')).toBe('<p><img src="/help/plug.png" alt="示意图" loading="lazy"/></p>')
    expect(htmlOf('![外部](https://example.com/a.png)')).toBe('<p>![外部](https://example.com/a.png)</p>')
  })
})

describe('hostile texts', () => {
  it('are 300 scripts, 200 formulas and 60 addresses without duplicates', () => {
    expect([xssPayloads, formulaPayloads, hostileUrls].map((list) => new Set(list).size)).toEqual([300, 200, 60])
    expect(xssPayloads.filter((text) => text.includes(canaryHost)).length).toBeGreaterThan(40)
  })

  it.each([
    '<script>x</script>',
    '<p onclick="x">x</p>',
    '<img src="/x" onerror="x"/>',
    '<img src="https://example.com/x"/>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="//example.com">x</a>',
    '<h1>x</h1>',
    '<p',
  ])('%j is detected', (html) => expect(problemsIn(html)).not.toEqual([]))

  it.each(xssPayloads.map((text) => [text]))('%j is inert', (text) => {
    expect(dangersOf(text)).toEqual([])
    expect(dangersOf(`段落 ${text} 之后`)).toEqual([])
    expect(dangersOf(`- ${text}\n\n> ${text}\n\n| a |\n|---|\n| ${text} |`)).toEqual([])
  })

  it('all in one document are inert', () => expect(dangersOf(xssPayloads.join('\n\n'))).toEqual([]))

  it('with formulas and addresses are plain text', () => {
    for (const text of [...formulaPayloads, ...hostileUrls])
      expect(dangersOf(`${text} [x](${text}) ![x](${text})`), text).toEqual([])
  })
})

describe('any text', () => {
  const marks = fc.constantFrom(
    ...'# ## > - 1. * ** ` ``` ~~~ | --- [ ] ( ) ]( ![ < " & / // https:// javascript: 词 a 😀'.split(' '),
    ...['\\', '\n', ' ', '\t', '\u0000', '\u202E', '\uD800', '\n\n', '  \n'].values(),
  )
  const soup = fc.array(marks, { maxLength: 80 }).map((parts) => parts.join(''))

  it('becomes only allowed elements', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        expect(dangersOf(text)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps every word that is not a mark', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z\u4E00-\u9FFF]{1,8}$/), { minLength: 1 }), (words) => {
        const shown = htmlOf(words.join('\n\n')).replaceAll(tagPattern, '')
        expect(shown).toBe(words.join(''))
      }),
    )
  })

  it.each([
    '*',
    '**',
    '`',
    '``',
    '[',
    '![',
    '](',
    '[a](',
    '>',
    '> ',
    '- ',
    '#',
    '|',
    '|-',
    '\\',
    ' ',
    '\n',
    '*a',
    '**a',
    '`a',
    '1. ',
    '***a',
    '- a\n',
    '> a\n\n',
    '```\n',
    '|a|\n|-|\n',
    'a|\n',
  ])('of 20,000 characters of %j is parsed within three seconds', { timeout: 30_000 }, (part) => {
    const text = part.repeat(Math.ceil(20_000 / part.length)).slice(0, 20_000)
    const started = performance.now()
    parseMarkdown(text)
    expect(performance.now() - started).toBeLessThan(3000)
    expect(dangersOf(text)).toEqual([])
  })
})
