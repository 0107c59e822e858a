/**
 * Pinyin initials without a dictionary. The Chinese collation sorts by pinyin, so a character belongs to the last
 * letter whose first character does not sort after it.
 */
const letters = 'ABCDEFGHJKLMNOPQRSTWXYZ'
const firsts = '吖丷嚓咑妸发旮哈丌咔垃妈拏喔妑七呥仨他屲夕丫帀'
const order = new Intl.Collator('zh-CN-u-co-pinyin')
const isHan = /\p{Script=Han}/u

function initialOf(character: string): string {
  if (!isHan.test(character)) return character.toLowerCase()
  let place = firsts.length - 1
  while (place > 0 && order.compare(character, firsts.charAt(place)) < 0) place--
  return letters.charAt(place).toLowerCase()
}

/** '员工管理' → 'yggl' */
export const pinyinInitials = (text: string) => Array.from(text, initialOf).join('')

export const matchesText = (text: string, keyword: string) => {
  const needle = keyword.trim().toLowerCase()
  return text.toLowerCase().includes(needle) || pinyinInitials(text).includes(needle)
}
