/** A distributor of the sandbox that is looked at, and new levels of it. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { InlineForm, TextField } from '../../parts/inline-form.tsx'
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
    <InlineForm
      onSend={() => {
        onMake(name)
        setName('')
      }}
    >
      <TextField label={say('newLevel')} value={name} onType={setName} />
      <button type="submit" disabled={name === ''}>
        {say('addLevel')}
      </button>
    </InlineForm>
  )
}
