/** Invite tokens, and which distributors they have made. */
import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/copy-button.tsx'
import { InlineForm, TextField } from '../../parts/inline-form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { act } from '../../session/action.ts'
import { useAsked } from '../../session/asking.ts'
import { say } from './words.ts'

export function Invites() {
  const invites = useAsked(({ control }) => control.invites.list({ limit: 500 }))
  const [name, setName] = useState('')
  const make = async () => {
    const made = await act((control) => control.invites.create(name === '' ? {} : { name }))
    if (made !== null) setName('')
    invites.reload()
  }
  const form = (
    <InlineForm onSend={make}>
      <TextField label={say('forWhom')} value={name} onType={setName} />
      <button type="submit">{say('makeInvite')}</button>
    </InlineForm>
  )
  return (
    <Panel title={say('invites')} isFlush tools={form}>
      <Shown of={invites}>
        {(rows) => (
          <Table
            label={say('invites')}
            rows={rows}
            keyOf={({ inviteToken }) => inviteToken}
            columns={[
              {
                title: say('token'),
                cell: ({ inviteToken }) => (
                  <>
                    <code>{inviteToken}</code> <CopyButton text={inviteToken} of={say('token')} />
                  </>
                ),
              },
              { title: say('forWhom'), cell: (row) => row.name },
              { title: say('usedBy'), cell: ({ usedBy }) => usedBy ?? say('notUsed') },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
