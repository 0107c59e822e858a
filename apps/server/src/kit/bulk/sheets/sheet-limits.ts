import { sheetMaxRows } from '@wattdeck/domain/limits.ts'

export const limits = {
  rows: sheetMaxRows,
  columns: 100,
  cellLength: 2000,
  /** Of all cells together: a text that is stored once can stand in every cell. */
  characters: 10_000_000,
  zipEntries: 1000,
  unpackedBytes: 100 * 1024 * 1024,
  sharedTexts: 1_000_000,
  /** XML in which so much comes without the end of a tag is no sheet. */
  silentBytes: 1024 * 1024,
  depth: 50,
  /** More than a million cells have. */
  tags: 5_000_000,
}

/** Why a file cannot be read as a sheet, in words for who sent it. */
export class SheetProblem extends Error {}

export const damaged = () => new SheetProblem('文件已损坏或格式不正确，请使用 xlsx 或 csv 文件')
export const tooMuch = () => new SheetProblem('表格内容过大，请拆分后上传')
