import { sheetMaxRows } from '@wattdeck/domain/limits.ts'

export const limits = {
  rows: sheetMaxRows,
  columns: 100,
  cellLength: 2000,
  /** Total of all cells, because one shared text can occur in every cell. */
  characters: 10_000_000,
  zipEntries: 1000,
  unpackedBytes: 100 * 1024 * 1024,
  sharedTexts: 1_000_000,
  /** Most bytes of XML without a tag. */
  silentBytes: 1024 * 1024,
  depth: 50,
  /** More than a million cells need. */
  tags: 5_000_000,
}

/** The reason why a file cannot be read as a sheet, as a message for the user. */
export class SheetProblem extends Error {}

export const damaged = () => new SheetProblem('文件已损坏或格式不正确，请使用 xlsx 或 csv 文件')
export const tooMuch = () => new SheetProblem('表格内容过大，请拆分后上传')
