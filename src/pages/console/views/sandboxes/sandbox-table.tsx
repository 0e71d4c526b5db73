/** All sandboxes: create, select, copy, save, restore, reset and drop. */

import { useState } from 'preact/hooks'
import type { Snapshot } from '../../../../clients/control/control.ts'
import type { SandboxRecord } from '../../../../clients/control/records.ts'
import { Choice } from '../../parts/choice.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { InlineForm, TextField } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useFetched } from '../../session/asking.ts'
import { controlPlane } from '../../session/connection.ts'
import { linkTo, pickSandbox, sandboxId } from '../../shell/route.ts'
import { attempt } from '../../shell/toast-list.tsx'
import { say } from './words.ts'

const SHOWN = 500

export function SandboxTable() {
  const list = useFetched(() => controlPlane().sandboxes.list({ limit: SHOWN, usage: true }), {
    everyMs: 2000,
  })
  return (
    <Panel title={say('sandboxes')} isFlush tools={<MakeForm onMade={list.reload} />}>
      <Shown of={list}>
        {(rows) => (
          <Table
            label={say('sandboxes')}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: say('name'), cell: ({ id }) => <Name id={id} /> },
              { title: say('clock'), isMinor: true, cell: ({ clock }) => say(clock.state) },
              {
                title: say('speed'),
                isMinor: true,
                cell: ({ playhead }) => (playhead.speed === 'max' ? 'max' : `${playhead.speed}×`),
              },
              {
                title: say('connections'),
                isNumber: true,
                isMinor: true,
                cell: ({ counts }) => counts.connections,
              },
              {
                title: say('memory'),
                isNumber: true,
                isMinor: true,
                cell: ({ usage }) => megabytesText(usage?.memory.heldBytes ?? 0),
              },
              {
                title: say('processor'),
                isNumber: true,
                isMinor: true,
                cell: ({ usage }) => <Processor of={usage} />,
              },
              { title: say('scenarios'), isMinor: true, cell: (row) => row.scenarios.join(', ') },
              { title: '', cell: (row) => <Actions of={row} onChange={list.reload} /> },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

const megabytesText = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** Its share of the thread; marked while its work waits for others. */
function Processor({ of }: { of: SandboxRecord['usage'] }) {
  const { recentShare = 0, isOverBudget = false } = of?.processor ?? {}
  return (
    <span class={isOverBudget ? 'warn' : ''} title={isOverBudget ? say('overBudget') : ''}>
      {Math.round(recentShare * 100)} %
    </span>
  )
}

function Name({ id }: { id: string }) {
  return (
    <>
      <a href={linkTo('sandboxes', [], { sandbox: id })}>{id}</a>{' '}
      {id === sandboxId.value && <span class="badge accent">{say('here')}</span>}
    </>
  )
}

function MakeForm({ onMade }: { onMade(): void }) {
  const [name, setName] = useState('')
  const [clock, setClock] = useState<'running' | 'held'>('running')
  const make = async () => {
    const fields = { clock, ...(name === '' ? {} : { name }) }
    const made = await attempt(() => controlPlane().sandboxes.create(fields))
    if (made === null) return
    setName('')
    await attempt(async () => {}, say('made', { id: made.id }))
    onMade()
    pickSandbox(made.id)
  }
  return (
    <InlineForm onSend={make}>
      <TextField label={say('name')} hint={say('freeName')} value={name} onType={setName} />
      <Choice
        label={say('clock')}
        value={clock}
        options={[
          { value: 'running', text: say('running') },
          { value: 'held', text: say('held') },
        ]}
        onPick={(picked) => setClock(picked)}
      />
      <button type="submit" class="primary">
        {say('make')}
      </button>
    </InlineForm>
  )
}

function Actions({ of, onChange }: { of: SandboxRecord; onChange(): void }) {
  const { id } = of
  const plane = controlPlane()
  const act = async <T,>(task: () => Promise<T>, done: string) => {
    const result = await attempt(task, done)
    onChange()
    return result
  }
  const copy = async () => {
    const made = await act(
      async () => plane.sandboxes.create({ snapshot: await plane.snapshot.get(id) }),
      say('copied', { id }),
    )
    if (made) pickSandbox(made.id)
  }
  return (
    <span class="row-actions">
      <button type="button" onClick={copy}>
        {say('copy')}
      </button>
      <button
        type="button"
        onClick={() =>
          act(
            async () =>
              saveFile(`${id}.snapshot.json`, JSON.stringify(await plane.snapshot.get(id))),
            say('saved'),
          )
        }
      >
        {say('snapshot')}
      </button>
      <label class="button">
        {say('restore')}
        <input
          type="file"
          class="unseen"
          accept="application/json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            currentTarget.value = ''
            if (file)
              void act(
                async () => plane.snapshot.put(id, snapshotIn(file.name, await fileText(file))),
                say('restored', { id }),
              )
          }}
        />
      </label>
      <ConfirmButton
        text={say('reset')}
        onSure={() => act(() => plane.sandboxes.reset(id), say('wasReset', { id }))}
      />
      {id !== 'default' && (
        <ConfirmButton
          text={say('drop')}
          onSure={async () => {
            await act(() => plane.sandboxes.drop(id), say('dropped', { id }))
            if (id === sandboxId.value) pickSandbox('default')
          }}
        />
      )}
    </span>
  )
}

/** Throws an error that names the file for invalid JSON. */
function snapshotIn(name: string, text: string): Snapshot {
  try {
    return JSON.parse(text) as Snapshot
  } catch (error) {
    throw new Error(say('noSnapshot', { file: name, error: (error as Error).message }))
  }
}

// Files saved and opened by the user.

/** Saves a text as a file. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Text of an opened file. */
const fileText = (file: File): Promise<string> => file.text()
