import type { Column } from '../list/columns.ts'

/** Creates columns with the titles that the exported file has, too. `common` applies to all of them. */
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
