/** A distributor of the sandbox that is looked at, and new levels of it. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { accountOf } from '../../session/account.ts'
import { session } from '../../session/connection.ts'
import { say } from './words.ts'

/** A client that signs as the distributor; null where its secret is not known. */
export function useDistributor(accessKey: string) {
  const current = session.value
  const key = current?.keys.find((one) => one.accessKey === accessKey)
  const account = useMemo(
    () => (current && key ? accountOf(current.sandbox, key, () => {}) : null),
    [current, key?.accessKey],
  )
  useEffect(() => () => account?.close(), [account])
  return account
}

/** Makes a level that grants nothing yet. */
export function NewLevel({ onMake }: { onMake(name: string): void }) {
  const [name, setName] = useState('')
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        onMake(name)
        setName('')
      }}
    >
      <input
        aria-label={say('newLevel')}
        placeholder={say('newLevel')}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" disabled={name === ''}>
        {say('addLevel')}
      </button>
    </form>
  )
}
