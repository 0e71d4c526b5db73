/** Writes reports to files and to GitHub. */

import { appendFileSync, renameSync } from 'node:fs'
import type { Report } from '../../../conformance/report.ts'
import { htmlReport } from '../../../conformance/reports/html.ts'
import { jsonReport } from '../../../conformance/reports/json.ts'
import { junitReport } from '../../../conformance/reports/junit.ts'
import {
  githubAnnotations,
  githubSummary,
  markdownReport,
} from '../../../conformance/reports/markdown.ts'
import { environmentVariable } from '../../../platform/environment.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { FileForm, RequestedReport } from './options.ts'

/** Writes each report; a UserError names the file that cannot be written. */
export async function writeReports(
  requested: readonly RequestedReport[],
  report: Report,
): Promise<void> {
  for (const one of requested)
    if (one.form === 'github') appendGithubSummary(report)
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

/** The summary is appended, as other steps of a job write to it too. */
function appendGithubSummary(report: Report): void {
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
