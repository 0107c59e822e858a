/**
 * The production policy demands trusted types. antd writes its style sheets through innerHTML; plain text without a
 * tag is all it ever writes, so that is all the default policy lets through.
 */
export const plainTextOnly = (text: string): string => {
  if (text.includes('<')) throw new TypeError('markup is not allowed here')
  return text
}

type PolicyFactory = { createPolicy(name: string, rules: { createHTML(text: string): string }): unknown }
const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
factory?.createPolicy('default', { createHTML: plainTextOnly })
