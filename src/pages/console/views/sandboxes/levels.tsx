/** Levels of a distributor as a table of actions, by the contract's operations. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { LevelConfig } from '../../../../clients/service/contract/records.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { InlineForm, TextField } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { accountOf, consoleBase } from '../../session/account.ts'
import { useFetched } from '../../session/asking.ts'
import { session } from '../../session/connection.ts'
import { actionNames } from '../../session/documents.ts'
import { attempt } from '../../shell/toast-list.tsx'
import { say } from './words.ts'

const RESOURCE = 'perpdex'
const NEW_LEVEL: LevelConfig = {
  request_limits: { max_time_range: 604_800, max_request: 10_000, request_rate_limit: 60 },
  permissions: [{ resource_type: RESOURCE, actions: [] }],
}

export function Levels() {
  const distributors = useFetched(async ({ control }) => {
    const keys = await control.keys.list({ limit: 1000 })
    return keys
      .filter(({ kind }) => kind === 'partner' || kind === 'full')
      .map((one) => one.accessKey)
  })
  const [picked, setPicked] = useState<string | null>(null)
  const all = distributors.data ?? []
  const key = picked ?? all.find((one) => one.includes('partner')) ?? all[0] ?? null
  return (
    <Panel
      title={say('levels')}
      isFlush
      tools={
        <label>
          {say('distributor')}{' '}
          <select
            value={key ?? ''}
            onChange={({ currentTarget }) => setPicked(currentTarget.value)}
          >
            {all.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <p class="note">{say('levelsAbout')}</p>
      {key !== null && <LevelTable key={key} distributor={key} />}
    </Panel>
  )
}

interface NamedLevel {
  name: string
  config: LevelConfig
}

function LevelTable({ distributor }: { distributor: string }) {
  const account = useDistributor(distributor)
  const [typed, setTyped] = useState('')
  const [actions, setActions] = useState<readonly string[]>([])
  useEffect(() => void actionNames().then(setActions, () => setActions([])), [])
  const levels = useFetched(
    async (): Promise<NamedLevel[]> => {
      const names = (await account?.distributor.levels()) ?? []
      return Promise.all(
        names.map(async (name) => ({
          name,
          config: (await account?.distributor.level({ path: { level: name } })) as LevelConfig,
        })),
      )
    },
    { of: [distributor, account === null] },
  )
  const save = async (name: string, config: LevelConfig) => {
    await attempt(
      async () => account?.distributor.putLevel({ path: { level: name }, body: config }),
      say('levelSaved', { level: name }),
    )
    levels.reload()
  }
  const remove = async (name: string) => {
    await attempt(
      async () => account?.distributor.deleteLevel({ path: { level: name } }),
      say('levelDeleted', { level: name }),
    )
    levels.reload()
  }
  const shown = actions.filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
  return (
    <Shown of={levels}>
      {(list) => (
        <>
          <div class="level-tools">
            <input
              type="search"
              aria-label={say('findAction')}
              placeholder={say('findAction')}
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <NewLevel onMake={(name) => save(name, NEW_LEVEL)} />
          </div>
          {list.length === 0 ? (
            <p class="note">{say('noLevels')}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too
            <section class="table-scroll levels" tabIndex={0} aria-label={say('levels')}>
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">{say('action')}</th>
                    {list.map(({ name }) => (
                      <th key={name} scope="col">
                        {name}{' '}
                        <ConfirmButton
                          text="×"
                          label={`${say('remove')}: ${name}`}
                          onSure={() => remove(name)}
                        />
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  <LevelLimits levels={list} onChange={save} />
                  {shown.map((action) => (
                    <tr key={action}>
                      <th scope="row" class="mono">
                        {action}
                      </th>
                      {list.map(({ name, config }) => (
                        <td key={name}>
                          <input
                            type="checkbox"
                            aria-label={`${action}: ${name}`}
                            checked={grantsOf(config).includes(action)}
                            onChange={() => save(name, toggled(config, action))}
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </>
      )}
    </Shown>
  )
}

const grantsOf = ({ permissions }: LevelConfig): string[] =>
  permissions.flatMap(({ actions }) => actions)

function toggled(config: LevelConfig, action: string): LevelConfig {
  const before = grantsOf(config)
  const actions = before.includes(action)
    ? before.filter((one) => one !== action)
    : [...before, action]
  return { ...config, permissions: [{ resource_type: RESOURCE, actions }] }
}

/** The limits of levels, as the first rows of their table. */
interface LevelLimitsProps {
  levels: readonly { name: string; config: LevelConfig }[]
  onChange(name: string, config: LevelConfig): void
}

const LIMITS = [
  ['request_rate_limit', 'ratePerMinute'],
  ['max_request', 'perMonth'],
  ['max_time_range', 'rangeS'],
] as const

function LevelLimits({ levels, onChange }: LevelLimitsProps) {
  return (
    <>
      {LIMITS.map(([field, text]) => (
        <tr key={field}>
          <th scope="row">{say(text)}</th>
          {levels.map(({ name, config }) => (
            <td key={name}>
              <input
                type="number"
                min={0}
                aria-label={`${say(text)}: ${name}`}
                value={config.request_limits[field]}
                onChange={({ currentTarget }) => {
                  const limits = { ...config.request_limits, [field]: Number(currentTarget.value) }
                  onChange(name, { ...config, request_limits: limits })
                }}
              />
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}

// A distributor of the selected sandbox, and new levels.

/** A client that signs as the distributor; null without its secret. */
function useDistributor(accessKey: string) {
  const current = session.value
  const key = current?.keys.find((one) => one.accessKey === accessKey)
  const account = useMemo(
    () => (current && key ? accountOf(consoleBase(current.sandbox), key, () => {}) : null),
    [current, key?.accessKey],
  )
  useEffect(() => () => account?.close(), [account])
  return account
}

/** Creates a level without permissions. */
function NewLevel({ onMake }: { onMake(name: string): void }) {
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
