type Path = (string | number)[]
/** The used part of antd's form. Methods with names of any type accept every form, whose own names are narrower. */
export type MarkedForm = {
  getFieldsError(): { name: Path }[]
  setFields(fields: { name: unknown; errors?: string[] }[]): void
  focusField(name: unknown): void
}

/** Shows the server's errors at their fields and focuses the first. Errors of other fields are ignored. */
export function markFields(form: MarkedForm, problems: Readonly<Record<string, string>>): void {
  const marks = form.getFieldsError().flatMap(({ name }) => {
    const problem = name.length === 1 ? problems[String(name[0])] : undefined
    return problem === undefined ? [] : [{ name, errors: [problem] }]
  })
  const [first] = marks
  if (!first) return
  form.setFields(marks)
  form.focusField(first.name)
}
