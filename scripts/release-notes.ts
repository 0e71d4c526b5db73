/**
 * `bun scripts/release-notes.ts TAG` prints the section of the changelog for a tag, `v1.2.3`. It
 * fails when the tag is not that of `package.json`, or the changelog has no such section.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT } from './install.ts'

/** The lines below a heading `## [VERSION]`, up to the next one. Throws without any. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  const notes = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (notes !== '') return notes
  throw new Error(`CHANGELOG.md has nothing under "## [${version}]": name its changes there`)
}

if (import.meta.main) {
  const [tag = ''] = process.argv.slice(2)
  const { version } = packageJson
  try {
    if (tag !== `v${version}`)
      throw new Error(
        `the tag is "${tag}" and the version of package.json ${version}: tag v${version}`,
      )
    console.log(releaseNotes(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8'), version))
  } catch (error) {
    console.error(`tapewright: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
