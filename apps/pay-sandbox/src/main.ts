import { readFileSync, writeFileSync } from 'node:fs'
import { type SandboxOptions, startPaySandbox } from './sandbox.ts'

/** Persists keys and merchants across restarts, because registered merchants keep their keys elsewhere. */
const file = process.env['PAY_SANDBOX_FILE']

function remembered(): SandboxOptions {
  if (file === undefined) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxOptions
  } catch {
    return {}
  }
}

const sandbox = await startPaySandbox({ ...remembered(), port: Number(process.env['PAY_SANDBOX_PORT'] ?? '3012') })
let written = ''
function remember() {
  const text = JSON.stringify(sandbox.seed())
  if (file === undefined || text === written) return
  writeFileSync(file, text, { mode: 0o600 })
  written = text
}
remember()
setInterval(remember, 1000)
console.log(`payments are asked for at ${sandbox.url}`)
