/** Picks the sandbox that is looked at, and the key with which it is asked. */
import { useEffect, useState } from 'preact/hooks'
import { controlPlane, pickedKey, serverState, session } from '../session/connection.ts'
import { useCommands } from './commands.ts'
import { language } from './preferences.ts'
import { pickSandbox, sandboxId } from './route.ts'
import { say } from './shell-words.ts'

const MOST_SANDBOXES = 200

export function SandboxPicker() {
  const [ids, setIds] = useState<readonly string[]>([])
  const load = async () => {
    try {
      const found = await controlPlane().sandboxes.list({ limit: MOST_SANDBOXES })
      setIds(found.map(({ id }) => id))
    } catch {
      // The notices say that the server is gone.
    }
  }
  useEffect(() => void load(), [serverState.value])
  useCommands(
    () => ids.map((id) => ({ title: `${say('sandbox')}: ${id}`, run: () => pickSandbox(id) })),
    [ids, language.value],
  )
  const all = ids.includes(sandboxId.value) ? ids : [sandboxId.value, ...ids]
  const current = session.value
  return (
    <span class="pickers">
      <select
        aria-label={say('sandbox')}
        title={say('sandbox')}
        value={sandboxId.value}
        onFocus={load}
        onChange={({ currentTarget }) => {
          pickedKey.value = null
          pickSandbox(currentTarget.value)
        }}
      >
        {all.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      {current && (
        <select
          class="key-picker"
          aria-label={say('key')}
          title={say('key')}
          value={current.key.accessKey}
          onChange={({ currentTarget }) => {
            pickedKey.value = currentTarget.value
          }}
        >
          {current.keys.map(({ accessKey }) => (
            <option key={accessKey} value={accessKey}>
              {accessKey}
            </option>
          ))}
        </select>
      )}
    </span>
  )
}
