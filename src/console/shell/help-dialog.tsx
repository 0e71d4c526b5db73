/** The keys that work now, and where else to look. */
import { Dialog } from '../parts/dialog.tsx'
import { keyName, shortcuts } from './keyboard.ts'
import { say } from './shell-words.ts'

export function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={say('help')} onClose={onClose} class="help">
      <h3>{say('keys')}</h3>
      <dl class="keys">
        {shortcuts.value.map(({ key, about }) => (
          <div key={key}>
            <dt>
              <kbd>{keyName(key)}</kbd>
            </dt>
            <dd>{about()}</dd>
          </div>
        ))}
      </dl>
      <h3>{say('links')}</h3>
      <ul class="links">
        {(['home', 'swagger', 'asyncapi', 'referencePage'] as const).map((name) => (
          <li key={name}>
            <a href={PATHS[name]}>{say(name)}</a>
          </li>
        ))}
      </ul>
      <p class="note">
        {say('charts')} <a href="https://www.tradingview.com/">tradingview.com</a>
      </p>
    </Dialog>
  )
}

const PATHS = {
  home: '/',
  swagger: '/swagger',
  asyncapi: '/asyncapi',
  referencePage: '/reference',
} as const
