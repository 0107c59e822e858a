import type { Column } from '../list/columns.ts'

/** Makes columns with the titles that the file of the list has, too. `common` is what all of them share. */
export const titledColumns =
  <Row>() =>
  <K extends string>(titles: Readonly<Record<K, string>>, common: Partial<Column<Row>> = {}) =>
  (key: K, width: number, render: Column<Row>['render'], more: Partial<Column<Row>> = common): Column<Row> => ({
    key,
    title: titles[key],
    width,
    render,
    ...more,
  })
