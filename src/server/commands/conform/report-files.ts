/** Reports where they are asked for. */

import { appendFileSync, renameSync } from 'node:fs'
import type { Report } from '../../../conformance/report.ts'
import { githubAnnotations, githubSummary } from '../../../conformance/reports/github.ts'
import { htmlReport } from '../../../conformance/reports/html.ts'
import { jsonReport } from '../../../conformance/reports/json.ts'
import { junitReport } from '../../../conformance/reports/junit.ts'
import { markdownReport } from '../../../conformance/reports/markdown.ts'
import { environmentVariable } from '../../../platform/environment.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { AskedReport, FileForm } from './options.ts'

/** Writes each of them; a UserError names the file that cannot be written. */
export async function writeReports(asked: readonly AskedReport[], report: Report): Promise<void> {
  for (const one of asked)
    if (one.form === 'github') tellGithub(report)
    else await writeText(one.file, WRITERS[one.form](report))
}

/** Writes a file whole or not at all. */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await Bun.write(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    throw unwritable(file, error)
  }
}

const WRITERS: Record<FileForm, (report: Report) => string> = {
  junit: junitReport,
  html: htmlReport,
  json: jsonReport,
  md: markdownReport,
}

/** Other steps of a job add to the same summary. */
function tellGithub(report: Report): void {
  console.log(githubAnnotations(report))
  const file = environmentVariable('GITHUB_STEP_SUMMARY')
  if (file === null) return
  try {
    appendFileSync(file, githubSummary(report))
  } catch (error) {
    throw unwritable(file, error)
  }
}

const unwritable = (file: string, error: unknown): UserError =>
  new UserError(`cannot write the report ${file}: ${(error as Error).message}`)
