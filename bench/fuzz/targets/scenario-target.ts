import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { UserError } from '../../../src/platform/user-error.ts'
import { parseScenarioYaml } from '../../../src/sandbox/scenario/scenario-parser.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'
import {
  type ByteEdit,
  byteEdits,
  changed,
  edited,
  type ValueEdit,
  valueEdits,
} from '../mutations.ts'

const FOLDER = path.join(import.meta.dir, '..', '..', '..', 'scenarios')

interface Script {
  file: string
  /** Edits of its text, or of its values. */
  edits: ByteEdit[] | { values: ValueEdit[] }
}

/** Randomly mutated scenario files: accepted, or refused with file and line. */
export const scenarioTarget = fuzzTarget<Script | { text: string }>({
  name: 'scenarios',
  about: 'scenario files',
  perSecond: 300,
  async open() {
    const edits = fc.oneof(byteEdits, fc.record({ values: valueEdits }))
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'))
    return {
      scripts: fc.oneof(
        { weight: 4, arbitrary: fc.record({ file: fc.constantFrom(...files), edits }) },
        fc.record({ text: fc.oneof(fc.string({ unit: 'binary' }), fc.json()) }),
      ),
      async check(script) {
        const text =
          'text' in script
            ? script.text
            : changedText(readFileSync(path.join(FOLDER, script.file)), script.edits)
        try {
          parseScenarioYaml('fuzzed', 'fuzzed.yaml', text)
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          invariant(/^fuzzed\.yaml:\d+: /.test(error.message), () => `no line: ${error.message}`)
        }
      },
    }
  },
})

function changedText(good: Buffer, edits: Script['edits']): string {
  return Array.isArray(edits)
    ? edited(good, edits).toString()
    : stringify(changed(parse(good.toString()), edits.values))
}
