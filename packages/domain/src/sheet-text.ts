// A spreadsheet takes a text for a formula by its first visible character; full-width and small forms are folded to the
// plain one by some. A control character in front is dropped by some, so it counts as one that begins a formula.
const formulaLike = /^[\p{Zs}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫\p{Cc}\p{Zl}\p{Zp}]/u

/** A text that no spreadsheet calculates: where it would, an apostrophe stands in front, which says that it is a text. */
export const neutralText = (text: string) => (formulaLike.test(text) ? `'${text}` : text)

/** What neutralText was given. */
export const originalText = (text: string) =>
  text.startsWith("'") && formulaLike.test(text.slice(1)) ? text.slice(1) : text
