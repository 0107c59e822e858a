/**
 * The production CSP requires trusted types. antd writes its style sheets through innerHTML, always without tags, so the
 * default policy admits only text without a tag.
 */
export const plainTextOnly = (text: string): string => {
  if (text.includes('<')) throw new TypeError('markup is not allowed here')
  return text
}

type PolicyFactory = { createPolicy(name: string, rules: { createHTML(text: string): string }): unknown }
const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
factory?.createPolicy('default', { createHTML: plainTextOnly })
