type Path = (string | number)[]
/** What of antd's form is needed. As methods and with names of any kind: each form knows only its own. */
export type MarkedForm = {
  getFieldsError(): { name: Path }[]
  setFields(fields: { name: unknown; errors?: string[] }[]): void
  focusField(name: unknown): void
}

/** Shows what the server says against single fields at those fields, and goes to the first. Others are left alone. */
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
