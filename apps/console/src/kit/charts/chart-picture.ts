const marginPx = 16
const titlePx = 40

/** A picture of the chart below its title, on the background of the theme; undefined if nothing is drawn. */
export async function pictureOf(card: HTMLElement, title: string): Promise<Blob | undefined> {
  const drawn = [...card.querySelectorAll('canvas')].filter(({ width, height }) => width > 0 && height > 0)
  const [first] = drawn
  const box = first?.getBoundingClientRect()
  if (first === undefined || box === undefined || box.width === 0) return undefined
  const ratio = first.width / box.width
  const picture = document.createElement('canvas')
  picture.width = first.width + 2 * marginPx * ratio
  picture.height = first.height + (titlePx + marginPx) * ratio
  const pen = picture.getContext('2d')
  if (pen === null) return undefined
  const style = getComputedStyle(document.documentElement)
  pen.fillStyle = style.getPropertyValue('--surface').trim()
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.fillStyle = style.getPropertyValue('--text').trim()
  pen.font = `600 ${16 * ratio}px sans-serif`
  pen.textBaseline = 'middle'
  pen.fillText(title, marginPx * ratio, (titlePx / 2) * ratio)
  for (const layer of drawn) pen.drawImage(layer, marginPx * ratio, titlePx * ratio)
  return new Promise((resolve) => {
    picture.toBlob((blob) => resolve(blob ?? undefined), 'image/png')
  })
}
