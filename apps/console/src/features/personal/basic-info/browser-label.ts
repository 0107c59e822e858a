const browsers: [string, RegExp][] = [
  ['微信', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
]
const systems: [string, RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
]

/** A readable name of a browser from its user agent. The order matters: most browsers also claim to be others. */
export function browserLabel(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = browsers.find(([, pattern]) => pattern.test(text))
  const version = browser?.[1].exec(text)?.[1]
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0]
  const parts = [browser && `${browser[0]} ${version ?? ''}`.trim(), system].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' · ') : '未知设备'
}
