/** Programs that repeat an entry's request, and a button that does so at once. */

import { useState } from 'preact/hooks'
import type {
  FrameEntry,
  JournalEntry,
  RequestEntry,
  SocketEntry,
} from '../../../../clients/control/records.ts'
import { fieldsOf, pythonSample, shellSample } from '../../../../conformance/samples/shell.ts'
import {
  clientProgram,
  pathParts,
  replayRequest,
  requestedSocket,
  saidOn,
  streamProgram,
  unsigned,
} from '../../journal/repeated-request.ts'
import { Choice } from '../../parts/choice.tsx'
import { CodeBlock } from '../../parts/panel.tsx'
import { accountOf, clientBase, operationLine } from '../../session/account.ts'
import { isGuest, session } from '../../session/connection.ts'
import { attempt } from '../../shell/toast-list.tsx'
import { Part } from './request-detail.tsx'
import { say } from './words.ts'

type Shown = RequestEntry | FrameEntry | SocketEntry

export function EntrySamples({
  entry,
  entries,
}: {
  entry: Shown
  entries: readonly JournalEntry[]
}) {
  const [form, setForm] = useState('shell')
  const shell = entry.kind === 'request' ? 'curl' : 'websocat'
  const forms = [
    { value: 'shell', text: shell },
    { value: 'typescript', text: 'TypeScript' },
    { value: 'python', text: 'Python' },
  ]
  const text = sampleOf(form, entry, entries)
  return (
    <Part title={say('copyAs')}>
      <div class="detail-tools">
        <Choice label={say('copyAs')} value={form} options={forms} onPick={setForm} />
        {entry.kind === 'request' && <ReplayButton entry={entry} />}
      </div>
      {text === null ? (
        <p class="note">{say('noProgram')}</p>
      ) : (
        <CodeBlock text={text} of={forms.find(({ value }) => value === form)?.text ?? ''} />
      )}
    </Part>
  )
}

function sampleOf(form: string, entry: Shown, entries: readonly JournalEntry[]): string | null {
  const base = baseUrl()
  const frames = framesBy(entry, entries)
  if (form === 'typescript')
    return entry.kind === 'request'
      ? clientProgram(base, entry, operationLine)
      : streamProgram(base, frames)
  const requested =
    entry.kind === 'request' ? replayRequest(base, entry) : requestedSocket(base, entry, frames)
  return form === 'python'
    ? pythonSample(requested)
    : shellSample(requested, { by: `of ${entry.key ?? 'a key'}` })
}

/** Client frames up to a frame; for a socket all. */
function framesBy(entry: Shown, entries: readonly JournalEntry[]): string[] {
  if (entry.kind === 'request' || entry.connection === null) return []
  return saidOn(entries, entry.connection, entry.kind === 'frame' ? entry.seq : undefined)
}

/** Base URL of the selected sandbox. */
function baseUrl(): string {
  const sandbox = session.value?.sandbox ?? 'default'
  return sandbox === 'default' ? location.origin : `${location.origin}/s/${sandbox}`
}

/** Repeats a request, signed with the selected key. */
function ReplayButton({ entry }: { entry: RequestEntry }) {
  const line = entry.operation === null ? undefined : operationLine(entry.operation)
  const changes = line?.includes(' changes') ?? true
  if (line === undefined || (isGuest.value && changes)) return null
  return (
    <button
      type="button"
      class="primary"
      onClick={() => attempt(() => askAgain(entry, line), say('replayed'))}
    >
      {say('replay')}
    </button>
  )
}

type Ask = (given: object) => Promise<unknown>

async function askAgain(entry: RequestEntry, line: string): Promise<void> {
  const [group = '', name = ''] = (entry.operation ?? '').split('.')
  const { target, body } = unsigned(entry)
  const [, template = ''] = line.split(' ')
  const current = session.value
  if (current === null) return
  const account = accountOf(clientBase(current.sandbox), current.key, () => {})
  try {
    const calls = account as unknown as Record<string, Record<string, Ask>>
    await calls[group]?.[name]?.({
      path: pathParts(template, entry.path) ?? {},
      query: Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? '')),
      ...(body === '' ? {} : { body: fieldsOf(body) }),
    })
  } finally {
    account.close()
  }
}
