/** The documents in place, and the cast with copy buttons. */
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icons.ts'
import { Panel } from '../../parts/panel.tsx'
import { changeQuery, route, sandboxId } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { Cast } from './cast.tsx'
import { say } from './words.ts'

export const papersView: View = {
  id: 'papers',
  group: 'reference',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.papers,
  component: Papers,
}

const PAPERS = ['cast', 'swagger', 'asyncapi', 'reference', 'control'] as const
type Paper = (typeof PAPERS)[number]

function Papers() {
  const shown = PAPERS.find((one) => one === route.value.query.paper) ?? 'cast'
  const texts: Readonly<Record<Paper, string>> = {
    cast: say('cast'),
    swagger: say('swagger'),
    asyncapi: say('asyncapi'),
    reference: say('referencePage'),
    control: say('control'),
  }
  const address = addressOf(shown)
  return (
    <div class="papers">
      <Panel
        title={texts[shown]}
        isFlush
        tools={
          <>
            <Choice
              label={say('title')}
              value={shown}
              options={PAPERS.map((value) => ({ value, text: texts[value] }))}
              onPick={(paper) => changeQuery({ paper: paper === 'cast' ? null : paper })}
            />
            {address !== null && (
              <a href={address} target="_blank" rel="noreferrer">
                {say('own')}
              </a>
            )}
          </>
        }
      >
        {address === null ? (
          <Cast />
        ) : (
          <iframe key={address} title={texts[shown]} src={address} onLoad={withoutHead} />
        )}
      </Panel>
    </div>
  )
}

/** Its links to the other pages stand above it already, and one leads into another console. */
function withoutHead({ currentTarget }: { currentTarget: HTMLIFrameElement }): void {
  const head = currentTarget.contentDocument?.querySelector<HTMLElement>('body > header')
  if (head) head.hidden = true
}

function addressOf(paper: Paper): string | null {
  const sandbox = sandboxId.value
  switch (paper) {
    case 'cast':
      return null
    case 'swagger':
      return sandbox === 'default' ? '/swagger' : `/s/${encodeURIComponent(sandbox)}/swagger`
    case 'asyncapi':
      return '/asyncapi'
    case 'reference':
      return '/reference'
    case 'control':
      return '/_control'
  }
}
