/** Which target the suite is to be run against, and the buttons that begin and stop it. */
import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Gate } from '../../parts/gate.tsx'
import { controlPlane } from '../../session/connection.ts'
import { attempt } from '../../shell/toasts.ts'
import { say } from './words.ts'

const EMPTY = { url: '', accessKey: '', secretKey: '', only: '', rate: '' }
const SECRET = { type: 'password' } as const
type Fields = typeof EMPTY

export function RunForm({ isRunning, onChange }: { isRunning: boolean; onChange(): void }) {
  const [place, setPlace] = useState<'this' | 'other'>('this')
  const [fields, setFields] = useState(EMPTY)
  const field = (name: keyof Fields, label: string, hint = '') => (
    <RunField name={name} label={label} hint={hint} fields={fields} onChange={setFields} />
  )
  const start = async () => {
    await attempt(() => controlPlane().conformance.start(runOf(place, fields)), say('begun'))
    onChange()
  }
  return (
    <Gate>
      <form
        class="run-form"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <Choice
          label={say('target')}
          value={place}
          options={[
            { value: 'this', text: say('thisServer') },
            { value: 'other', text: say('other') },
          ]}
          onPick={(picked) => setPlace(picked)}
        />
        {place === 'other' && (
          <>
            {field('url', say('url'), 'https://')}
            {field('accessKey', say('accessKey'))}
            {field('secretKey', say('secretKey'))}
            {field('rate', say('rate'), say('rateHint'))}
          </>
        )}
        {field('only', say('only'), say('onlyHint'))}
        <RunButton isRunning={isRunning} onChange={onChange} />
      </form>
    </Gate>
  )
}

function RunButton({ isRunning, onChange }: { isRunning: boolean; onChange(): void }) {
  const stop = () => attempt(() => controlPlane().conformance.stop()).then(onChange)
  return isRunning ? (
    <button type="button" class="danger" onClick={stop}>
      {say('stop')}
    </button>
  ) : (
    <button type="submit" class="primary">
      {say('run')}
    </button>
  )
}

interface RunFieldProps {
  name: keyof Fields
  label: string
  hint: string
  fields: Fields
  onChange(fields: Fields): void
}

function RunField({ name, label, hint, fields, onChange }: RunFieldProps) {
  return (
    <label>
      {label}
      <input
        {...(name === 'secretKey' ? SECRET : {})}
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        value={fields[name]}
        onInput={({ currentTarget }) => onChange({ ...fields, [name]: currentTarget.value })}
      />
    </label>
  )
}

function runOf(place: 'this' | 'other', { url, accessKey, secretKey, only, rate }: Fields) {
  const names = only.split(/[\s,]+/).filter(Boolean)
  return {
    ...(place === 'other' ? { target: url, keys: { full: { accessKey, secretKey } } } : {}),
    ...(names.length > 0 ? { only: names } : {}),
    ...(rate === '' || place === 'this' ? {} : { ratePerMinute: Number(rate) }),
  }
}
