/** The server's sandboxes, and permissions in the selected one. */

import { useState } from 'preact/hooks'
import type { KeyRecord } from '../../../../clients/control/records.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { InlineForm, TextField } from '../../parts/dialog.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { CodeBlock, CopyButton, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { act } from '../../session/action.ts'
import { useFetched } from '../../session/asking.ts'
import { controlPlane } from '../../session/connection.ts'
import { numberText } from '../../shell/formats.ts'
import type { View } from '../../shell/route.ts'
import { Levels } from './levels.tsx'
import { SandboxTable } from './sandbox-table.tsx'
import { say } from './words.ts'

export const sandboxesView: View = {
  id: 'sandboxes',
  group: 'control',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.sandboxes,
  component: Sandboxes,
  isChanging: true,
}

function Sandboxes() {
  return (
    <div class="sandboxes">
      <SandboxTable />
      <Keys />
      <Levels />
      <Invites />
      <GuestLink />
    </div>
  )
}

function GuestLink() {
  const guest = useFetched(() => controlPlane().guest.get())
  return (
    <Panel title={say('guests')}>
      <p class="faint">{say('guestsAbout')}</p>
      <Shown of={guest}>{({ url }) => <CodeBlock text={url} of={say('guests')} />}</Shown>
    </Panel>
  )
}

/** Invite tokens, and the distributors they created. */
function Invites() {
  const invites = useFetched(({ control }) => control.invites.list({ limit: 500 }))
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

/** Keys of the selected sandbox; the secret of a new one is shown once. */
const SHOWN = 500

function Keys() {
  const keys = useFetched(({ control }) => control.keys.list({ limit: SHOWN }), { everyMs: 3000 })
  const [made, setMade] = useState<{ accessKey: string; secretKey: string } | null>(null)
  const onMade = (key: { accessKey: string; secretKey: string }) => {
    setMade(key)
    keys.reload()
  }
  return (
    <Panel title={say('keys')} isFlush tools={<KeyForm onMade={onMade} />}>
      {made && (
        <div class="secret-once" role="status">
          <p>{say('secretOnce')}</p>
          <CodeBlock
            text={`ACCESS_KEY=${made.accessKey}\nSECRET_KEY=${made.secretKey}`}
            of={say('secretKey')}
          />
        </div>
      )}
      <Shown of={keys}>
        {(rows) => (
          <Table
            label={say('keys')}
            rows={rows}
            keyOf={({ accessKey }) => accessKey}
            columns={[
              { title: say('accessKey'), cell: ({ accessKey }) => <code>{accessKey}</code> },
              { title: say('kind'), cell: ({ kind }) => kind },
              { title: say('forWhom'), isMinor: true, cell: ({ name }) => name },
              { title: say('level'), isMinor: true, cell: ({ level }) => level ?? '–' },
              {
                title: say('used'),
                isNumber: true,
                isMinor: true,
                cell: ({ usage }) => numberText(usage.month),
              },
              {
                title: say('quota'),
                isNumber: true,
                isMinor: true,
                cell: ({ limits }) =>
                  limits.monthlyQuota == null ? '–' : numberText(limits.monthlyQuota),
              },
              {
                title: say('status'),
                cell: ({ status }) => (
                  <span class={status === 'active' ? 'badge up' : 'badge warn'}>{say(status)}</span>
                ),
              },
              { title: '', cell: (key) => <KeyActions of={key} onChange={keys.reload} /> },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

function KeyActions({ of, onChange }: { of: KeyRecord; onChange(): void }) {
  const { accessKey, status } = of
  const other = status === 'active' ? 'disabled' : 'active'
  return (
    <span class="row-actions">
      <button
        type="button"
        onClick={() =>
          act((control) => control.keys.change(accessKey, { status: other })).then(onChange)
        }
      >
        {status === 'active' ? say('bar') : say('letIn')}
      </button>
      <ConfirmButton
        text={say('remove')}
        onSure={() =>
          act((control) => control.keys.delete(accessKey), say('removed', { key: accessKey })).then(
            onChange,
          )
        }
      />
    </span>
  )
}

const KINDS = ['direct', 'sub', 'partner'] as const

function KeyForm({ onMade }: { onMade(key: { accessKey: string; secretKey: string }): void }) {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('direct')
  const [name, setName] = useState('')
  const [level, setLevel] = useState('basic')
  const make = async () => {
    const fields = {
      kind,
      ...(name === '' ? {} : { name }),
      ...(kind === 'sub' ? { level } : {}),
    }
    const made = await act((control) => control.keys.create(fields))
    if (made) onMade(made)
  }
  return (
    <InlineForm onSend={make}>
      <select
        aria-label={say('kind')}
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value as typeof kind)}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {say(one)}
          </option>
        ))}
      </select>
      <TextField label={say('forWhom')} value={name} onType={setName} />
      {kind === 'sub' && (
        <input
          aria-label={say('level')}
          placeholder={say('level')}
          value={level}
          onInput={({ currentTarget }) => setLevel(currentTarget.value)}
        />
      )}
      <button type="submit">{say('makeKey')}</button>
    </InlineForm>
  )
}
