/** What is wrong with the connection, above the view, and what helps. */
import { useState } from 'preact/hooks'
import { serverError, serverState } from '../session/connection.ts'
import { controlToken, giveToken } from '../session/token.ts'
import { sandboxId } from './route.ts'
import { say } from './shell-words.ts'

export function Notices() {
  switch (serverState.value) {
    case 'gone':
      return (
        <p class="notice bad" role="alert">
          {say('goneText')}
        </p>
      )
    case 'no-sandbox':
      return (
        <p class="notice bad" role="alert">
          {say('missingText', { sandbox: sandboxId.value })}
        </p>
      )
    case 'failed':
      return (
        <p class="notice bad" role="alert">
          {say('failedText', { error: serverError.value ?? '' })}
        </p>
      )
    case 'locked':
      return <TokenForm />
    default:
      return null
  }
}

function TokenForm() {
  const [typed, setTyped] = useState('')
  return (
    <form
      class="notice"
      onSubmit={(event) => {
        event.preventDefault()
        giveToken(typed)
      }}
    >
      <p role="alert">{controlToken.value === null ? say('lockedText') : say('wrongToken')}</p>
      <label>
        {say('token')}{' '}
        <input
          type="password"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        {say('unlock')}
      </button>
    </form>
  )
}
