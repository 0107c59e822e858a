import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** The part of Vitest's JSON report that the check reads. */
type Outcome = { status: string; fullName: string; failureMessages: string[] }
type FileResult = {
  name: string
  message: string
  startTime: number
  endTime: number
  assertionResults: Outcome[]
}
type Report = { numPassedTests: number; numFailedTests: number; testResults: FileResult[] }

export type Failure = { file: string; title: string; reason: string }
export type TestCounts = {
  passed: number
  failures: Failure[]
  files: { file: string; seconds: number; tests: number }[]
}

/** A runner that failed without a failed test (a crash, a hook, an unhandled error) counts as a failure. */
export function readReport(path: string, status: number | null): TestCounts {
  let report: Report
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return { passed: 0, failures: [{ file: '', title: 'the test runner', reason: 'it left no report' }], files: [] }
  }
  const failures = report.testResults.flatMap(failuresOf)
  if (report.numPassedTests === 0 && failures.length === 0)
    failures.push({ file: '', title: 'the test runner', reason: 'no test ran' })
  if (status !== 0 && failures.length === 0)
    failures.push({ file: '', title: 'the test runner', reason: `it ended with status ${status}` })
  const files = report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative('.', name),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }))
  return { passed: report.numPassedTests, failures, files }
}

function failuresOf({ name, message, assertionResults }: FileResult): Failure[] {
  const file = relative('.', name)
  const failed = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ file, title: fullName, reason: failureMessages.join('\n') }))
  // A file that failed in a hook or while loading has its own message and no failed test.
  return message === '' || failed.length > 0 ? failed : [{ file, title: '', reason: message }]
}

/** The start of a reason, indented; the rest of a long stack is in the log of the phase. */
export const shortReason = (reason: string): string =>
  stripVTControlCharacters(reason)
    .split('\n')
    .slice(0, 30)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n')
