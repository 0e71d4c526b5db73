/** `conform --watch`: looks at a target again and again, a line for each look. */
import { existsSync, readFileSync } from 'node:fs'
import { hostClock } from '../../clock/system-clock.ts'
import type { ConformSettings } from '../../conformance/conform-settings.ts'
import { httpTransport } from '../../conformance/http-transport.ts'
import { withTarget } from '../../conformance/target-place.ts'
import type { Look } from '../../conformance/watch/drift.ts'
import { lookAt } from '../../conformance/watch/look.ts'
import { readOnly } from '../../conformance/watch/read-only.ts'
import { type Sighting, watch } from '../../conformance/watch/watch.ts'
import { UserError } from '../../user-error.ts'
import type { ConformOptions } from './options.ts'
import { writeText } from './report-files.ts'

/** Ends with code 0 when it is interrupted: it has no other end. */
export async function watchTarget(
  { settings, json }: ConformOptions,
  { everyMs, file }: NonNullable<ConformOptions['watched']>,
  signal: AbortSignal,
): Promise<number> {
  const target = 'baseUrl' in settings ? settings.baseUrl : ''
  const bounds = { answerMs: settings.timeoutMs }
  const reading: ConformSettings = {
    ...settings,
    signal,
    transport: readOnly(httpTransport(target, bounds)),
  }
  // What cannot be read is said before anything is asked.
  knownIn(file, target)
  await watch({
    everyMs,
    systemClock: hostClock,
    signal,
    look: (known) => withTarget(reading, (place) => lookAt(place, hostClock, known)),
    read: () => knownIn(file, target),
    write: (known) => writeText(file, `${JSON.stringify({ target, ...known }, null, 2)}\n`),
    onSighting: (sighting) =>
      console.log(json ? JSON.stringify(sighting) : sightingText(sighting, file)),
  })
  return 0
}

/** What is kept of the looks before; null when there is nothing yet. */
function knownIn(file: string, target: string): Look | null {
  if (!existsSync(file)) return null
  const kept = parsed(file)
  if (kept === null)
    throw new UserError(`--watch-file: ${file} was not written by --watch: name another file`)
  if (kept.target !== target)
    throw new UserError(`--watch-file: ${file} is of ${kept.target}: name another for ${target}`)
  return { forms: kept.forms, questions: kept.questions }
}

function parsed(file: string): (Look & { target: string }) | null {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    const isKept = typeof kept.target === 'string' && kept.forms && kept.questions
    return isKept ? kept : null
  } catch {
    return null
  }
}

function sightingText(sighting: Sighting, file: string): string {
  const time = new Date(sighting.atMs).toISOString().replace(/\.\d+Z$/, 'Z')
  switch (sighting.kind) {
    case 'failed':
      return `${time} not looked at: ${sighting.why}`
    case 'baseline': {
      const { forms, questions } = sighting
      const seen = `${forms} operations and channels, ${questions} open questions`
      return `${time} baseline: ${seen}, in ${file}`
    }
    case 'drift': {
      const { drift } = sighting
      if (drift.length === 0) return `${time} no drift`
      return [`${time} drift: ${drift.length}`, ...drift.map((line) => `  ${line}`)].join('\n')
    }
  }
}
