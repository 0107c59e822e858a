// Spreadsheets detect a formula by the first visible character. Some fold full-width and small forms to the plain
// character. Some drop a leading control character, so a control character counts as a formula prefix.
const formulaLike = /^[\p{Zs}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫\p{Cc}\p{Zl}\p{Zp}]/u

/** A text that no spreadsheet evaluates: a leading apostrophe marks a formula-like text as text. */
export const neutralText = (text: string) => (formulaLike.test(text) ? `'${text}` : text)

/** Reverses neutralText. */
export const originalText = (text: string) =>
  text.startsWith("'") && formulaLike.test(text.slice(1)) ? text.slice(1) : text
