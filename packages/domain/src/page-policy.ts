/**
 * What the console may load and run, as directives of a content security policy. The api sends it with every reply; the
 * build writes it into index.html too, so that a web server without that header serves no page without a policy.
 */
export const pagePolicy = (reportOrigin: string): Record<string, string[]> => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"], // antd writes its styles into the page
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'media-src': ["'self'", 'blob:'],
  'connect-src': ["'self'", ...(reportOrigin === '' ? [] : [reportOrigin])],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
})

export const policyText = (directives: Record<string, string[]>): string =>
  Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ')
