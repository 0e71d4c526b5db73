/** A stretch of the timeline as a file of tests, to be copied or saved. */
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../../control-client/records.ts'
import { testOfEntries } from '../../journal/test-of-entries.ts'
import { Choice } from '../../parts/choice.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sandboxRecord, session } from '../../session/connection.ts'
import { exactTimeText } from '../../shell/formats.ts'
import { say } from './words.ts'

/** So many entries make a test that somebody still reads. */
const ENTRIES_MAX = 200

export interface TestDialogProps {
  entries: readonly JournalEntry[]
  /** What there is besides: sockets of the stretch may have been opened before it. */
  all: readonly JournalEntry[]
  onClose(): void
}

export function TestDialog({ entries, all, onClose }: TestDialogProps) {
  const [form, setForm] = useState<'bun' | 'playwright'>('bun')
  const taken = entries.slice(-ENTRIES_MAX)
  const [first, last] = [taken[0], taken.at(-1)]
  const record = sandboxRecord.value?.record
  const span = { startMs: record?.playhead.start ?? 0, stopMs: record?.playhead.stop ?? 0 }
  const scenarios = record?.scenarios ?? []
  const earlier = all.filter(({ seq }) => seq < (first?.seq ?? 0))
  const text = testOfEntries(form, taken, { roles: rolesOf(), scenarios, span }, earlier)
  return (
    <Dialog title={say('makeTest')} onClose={onClose} class="wide">
      <p class="faint">{say('testAbout')}</p>
      <div class="detail-tools">
        <Choice
          label={say('makeTest')}
          value={form}
          options={[
            { value: 'bun', text: 'bun test' },
            { value: 'playwright', text: 'Playwright' },
          ]}
          onPick={(picked) => setForm(picked)}
        />
        {first && last && (
          <span class="faint">
            {say('range', {
              count: taken.length,
              from: exactTimeText(first.sessionMs),
              to: exactTimeText(last.sessionMs),
            })}
          </span>
        )}
        {text !== null && <Download text={text} />}
      </div>
      {text === null ? <p class="note">{say('noTest')}</p> : <CodeBlock text={text} of={form} />}
    </Dialog>
  )
}

const Download = ({ text }: { text: string }) => (
  <a
    class="button"
    download="recorded.test.ts"
    href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
  >
    {say('download')}
  </a>
)

/** Which of the sandbox's keys is which, as a new sandbox names its own. */
function rolesOf(): Record<string, string> {
  const keys = session.value?.keys ?? []
  return Object.fromEntries(
    keys.map(({ accessKey }) => [
      accessKey,
      /partner/.test(accessKey)
        ? 'partner'
        : /bare/.test(accessKey)
          ? 'bare'
          : /sub/.test(accessKey)
            ? 'sub'
            : 'full',
    ]),
  )
}
