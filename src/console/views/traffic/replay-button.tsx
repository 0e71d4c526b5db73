/** Asks a request again, signed now with the key that is picked. */

import type { RequestEntry } from '../../../control-client/records.ts'
import { fieldsOf } from '../../../samples/shell.ts'
import { pathParts, unsigned } from '../../journal/asked-again.ts'
import { operationLine } from '../../session/account.ts'
import { session } from '../../session/connection.ts'
import { isGuest } from '../../session/guest.ts'
import { attempt } from '../../shell/toasts.ts'
import { say } from './words.ts'

export function ReplayButton({ entry }: { entry: RequestEntry }) {
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
  const calls = session.value?.account as unknown as Record<string, Record<string, Ask>> | undefined
  await calls?.[group]?.[name]?.({
    path: pathParts(template, entry.path) ?? {},
    query: Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? '')),
    ...(body === '' ? {} : { body: fieldsOf(body) }),
  })
}
